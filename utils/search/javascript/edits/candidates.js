// All candidate edits of a program, cheapest first: those of the vocabulary that all languages share.

const { cheapest, Facts: SyntaxFacts, javascriptGrammar, madeOf, plainTree, literalsIn } = VOCABULARY;

/** tree-sitter's parser of JavaScript, after `loadParser`. */
let parser = null;

async function loadParser() {
  if (parser) return;
  const packed = (text) => zlib.inflateSync(Buffer.from(text, "base64"));
  const module = { exports: {} };
  const load = new Function("module", "exports", "require", "__filename", packed(TREE_SITTER.library).toString());
  load(module, module.exports, require, "/tree-sitter.js");
  const { Parser, Language } = module.exports;
  await Parser.init({ wasmBinary: packed(TREE_SITTER.wasm) });
  const made = new Parser();
  made.setLanguage(await Language.load(packed(TREE_SITTER.javascript)));
  parser = made;
}

const REMOTE = 1.5; // what an edit costs more where a failing check does not come by

/** The edits of a program, cheapest first. */
class Candidates {
  constructor(facts, priors, choice) {
    const { source } = facts;
    const tree = parser.parse(source.text);
    const root = plainTree(tree.rootNode, source.text);
    tree.delete();
    const target = root.around(source.target.start, source.target.end);
    const syntax = new SyntaxFacts(javascriptGrammar, source.text, target, facts.kinds());
    const said = literalsIn(facts.prose, choice.tests);
    const literals = { ...said, texts: [...new Set([...said.texts, ...facts.toldStrings, ...facts.shownStrings])] };
    /** All edits, in no order. */
    this.made = madeOf(syntax, TABLES, literals, choice).flatMap((one) => {
      const places = one.changes.map(({ start, end }) => source.innermost(start, end));
      if (!places.every((node) => node && facts.isRelevant(node))) return [];
      const remote = Math.max(...places.map((node) => facts.remoteness(node)));
      return remote > 0 ? [{ ...one, extra: one.extra + remote }] : [one];
    });
    Object.assign(this, { source, priced: [], rest: cheapest(syntax, this.made, priors) });
  }

  /** Makes the list longer than this, if it can. */
  reach(number) {
    while (this.priced.length <= number) {
      const { value, done } = this.rest.next();
      if (done) return;
      this.priced.push({ cost: value.cost, one: this.source.edited(value) });
    }
  }

  /** { cost, one }, or undefined behind the last. */
  at(number) {
    this.reach(number);
    return this.priced[number];
  }

  slice(start, end) {
    this.reach(end - 1);
    return this.priced.slice(start, end);
  }

  /** { cost, one, number } of each. */
  *all() {
    for (let number = 0; this.at(number); number++) yield { ...this.at(number), number };
  }
}

const PAIR_COST = 1; // of two edits of which neither is known to help
const PAIRED = 100; // the cheapest edits

/** Both edits at once. @param more what they cost beyond each of them */
function two({ cost, one: a }, { cost: other, one: b }, more) {
  const both = { operator: "pair", splices: [...a.splices, ...b.splices], parts: [a.splices, b.splices] };
  return { cost: cost + other + more, one: both };
}

/** Any two of the cheapest edits. */
const pairs = (priced) => priced.flatMap((a, i) => priced.slice(i + 1).map((b) => two(a, b, PAIR_COST)));
