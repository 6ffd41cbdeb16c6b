/**
 * A node of a graph without what LangChain and LangGraph do around it for those who watch: with each call they make
 * four tracers' runs and check by its schema what the node has just made, half of what a turn of the agent cost.
 */

import { Runnable } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { Command, LangGraphRunnableConfig, PregelNode } from "@langchain/langgraph";
import { isWatched } from "../utils/tracing/tracers.ts";

/** What a node changes, by the names of channels, and the node that comes next, which is none at the end. */
type Turned = Command<unknown, Record<string, unknown>, string>;
type Call<Input> = (input: Input, config: LangGraphRunnableConfig) => Promise<Turned>;

/**
 * A node's function as LangGraph calls it, without LangChain's wrapper, which makes a tracer's run with every call
 * whether somebody traces or not. Traces show a node all the same, as its run is LangGraph's. Models and tools find its
 * config around themselves (`interrupt`).
 */
export class NodeFunction<Input> extends Runnable<Input, Turned> {
  lc_namespace = ["mend"];
  readonly #call: Call<Input>;

  constructor(call: Call<Input>) {
    super();
    this.#call = call;
    this.name = call.name;
  }

  override invoke(input: Input, config: LangGraphRunnableConfig = {}): Promise<Turned> {
    if (!isWatched(config)) return this.unwatched(input, config);
    return AsyncLocalStorageProviderSingleton.runWithConfig(config, () => this.#call(input, config));
  }

  /** The same for a caller that knows that nobody watches. */
  unwatched(input: Input, config: LangGraphRunnableConfig): Promise<Turned> {
    return AsyncLocalStorageProviderSingleton.getInstance().run(around(config), () => this.#call(input, config));
  }

  override withConfig(): Runnable<Input, Turned> {
    return this;
  }
}

/** What `runWithConfig` leaves for those who are called, but for a run that no tracer gets. */
function around(config: LangGraphRunnableConfig): object {
  const outer: unknown = AsyncLocalStorageProviderSingleton.getInstance().getStore();
  const variables: unknown = typeof outer === "object" && outer !== null ? Reflect.get(outer, VARIABLES) : undefined;
  return { extra: { [CHILD_CONFIG]: config }, ...(variables !== undefined && { [VARIABLES]: variables }) };
}

/** Names by which LangChain finds them. */
const CHILD_CONFIG = Symbol.for("lc:child_config");
const VARIABLES = Symbol.for("lc:context_variables");

/**
 * Lets the nodes of a compiled graph write by themselves what their functions return, where nobody watches: what a
 * node returns is trusted and not checked by the schema of the state. Channels, steps, checkpoints and streams stay
 * LangGraph's.
 * @param graph whose nodes but for its start are each a `NodeFunction`
 */
export function lighten<Graph extends { nodes: Record<string, PregelNode> }>(graph: Graph): Graph {
  for (const node of Object.values(graph.nodes)) {
    const { bound } = node;
    if (bound instanceof NodeFunction) {
      const light = new WritingNode(bound, node.getNode() ?? bound, graph.nodes);
      node.getNode = () => light;
    }
  }
  return graph;
}

class WritingNode extends Runnable<unknown, unknown> {
  lc_namespace = ["mend"];
  readonly #call: NodeFunction<unknown>;
  readonly #whole: Runnable;
  readonly #nodes: Record<string, PregelNode>;

  /** @param whole the node with what LangGraph does around it */
  constructor(call: NodeFunction<unknown>, whole: Runnable, nodes: Record<string, PregelNode>) {
    super();
    [this.#call, this.#whole, this.#nodes] = [call, whole, nodes];
    this.name = call.name;
  }

  override async invoke(input: unknown, config: LangGraphRunnableConfig = {}): Promise<unknown> {
    const send: unknown = config.configurable?.[SEND];
    if (typeof send !== "function" || isWatched(config)) return this.#whole.invoke(input, config);
    const turned = await this.#call.unwatched(input, config);
    const { update = {}, goto } = turned;
    // A node starts once one of its triggers is written.
    const starts = [goto ?? []].flat().flatMap((name) => this.#nodes[String(name)]?.triggers.slice(0, 1) ?? []);
    send([...Object.entries(update), ...starts.map((trigger) => [trigger, null])]);
    return turned;
  }

  override withConfig(): Runnable {
    return this;
  }
}

/** Where LangGraph leaves a task its way to write to channels. */
const SEND = "__pregel_send";
