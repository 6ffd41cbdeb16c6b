/** Repositories in the images of their tasks: each holds one at its base, with the programs that its tests need. */

import { UserError } from "../../../utils/base/data/errors.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { copyProject, filesOf } from "../../../utils/project/copy.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import {
  copyFromImage,
  type Image,
  openContainerBox,
  pullImage,
} from "../../../utils/sandbox/container/container_box.ts";
import type { Engine } from "../../../utils/sandbox/container/engine.ts";
import type { Repositories, RepositoryPlace } from "./checkout.ts";
import { NO_IMAGE } from "./formats.ts";

export interface ImageOptions {
  engine: Engine;
  /** With `{instance_id}` in the place of a task's id. Default: what its row names. */
  template?: string | undefined;
  say: (line: string) => void;
}

/** An image that is here. */
interface OpenImage {
  image: Image;
  box: CommandBox;
}

/** Copies of images on the disk: those of the tasks that are worked on at the time. */
const MOST_COPIES = 4;

/** Images are pulled as their tasks come. @throws UserError where the template names no task */
export function openImages({ engine, template, say }: ImageOptions): Repositories {
  if (template !== undefined && !template.includes("{instance_id}"))
    throw new UserError(`--image ${template}: write {instance_id} where the id of a task stands in it.`);
  const opened = new Map<string, Promise<OpenImage>>();
  const copies = new Map<string, Promise<TemporaryFolder>>();
  const nameOf = ({ id, image = NO_IMAGE }: RepositoryPlace): string => {
    const name = template?.replaceAll("{instance_id}", id.toLowerCase()) ?? image.name;
    if (name === "") throw new UserError("its row names no image: say with --image TEMPLATE which is its");
    return name;
  };
  const open = async (name: string, { image: { root, hides } = NO_IMAGE }: RepositoryPlace): Promise<OpenImage> => {
    await pullImage(engine, name, { say });
    const image = { engine, name, root, hides };
    const box = await openContainerBox(image);
    for (const warning of box.warnings) say(warning);
    return { image, box };
  };
  const openedOf = (task: RepositoryPlace): Promise<OpenImage> => {
    const name = nameOf(task);
    const found = opened.get(name) ?? open(name, task);
    opened.set(name, found);
    return found;
  };
  const copyOf = async (task: RepositoryPlace): Promise<TemporaryFolder> => {
    const { image } = await openedOf(task);
    const found = copies.get(image.name) ?? copied(image);
    copies.delete(image.name);
    copies.set(image.name, found);
    const [oldest] = copies.keys();
    if (copies.size > MOST_COPIES && oldest !== undefined) {
      void copies.get(oldest)?.then((folder) => folder[Symbol.dispose]());
      copies.delete(oldest);
    }
    return await found;
  };
  return {
    missing: () => "tasks in images do not travel to workers",
    treeHash: () => {
      throw new UserError("tasks in images do not travel to workers");
    },
    checkOut: async (task, folder) => {
      copyProject(filesOf((await copyOf(task)).path, "all"), folder, "container");
    },
    boxOf: async (task) => (await openedOf(task)).box,
    [Symbol.dispose]: () => {
      for (const copy of copies.values()) void copy.then((folder) => folder[Symbol.dispose]());
    },
  };
}

async function copied(image: Image): Promise<TemporaryFolder> {
  const folder = makeTemporaryFolder("image");
  try {
    await copyFromImage(image, folder.path);
    return folder;
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}
