/** The index of Python packages, as uv in a box reaches it. Addresses of files lead through the proxy, too. */

import { createHash } from "node:crypto";
import { z } from "zod";
import { readJson } from "../../../base/data/record.ts";
import { type DatedProxy, openProxy, type Reply, textOf } from "../proxy.ts";
import type { Registry } from "../registry_access.ts";
import { getFrom } from "../registry_client.ts";

/** Where the pages of packages are, and their files. */
export const PAGES = "/simple/";
const FILES = "/files/";
const PAGE = /^\/simple\/([\w.-]+)\/?$/;
const FILE = /^\/files\/([0-9a-f]{32})\/[^/?#]+?(\.metadata)?$/;
const ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.2";

interface ServedIndex {
  settings: Registry;
  /** Files that pages of the index link to, by their names here. */
  files: Map<string, URL>;
  undated: Set<string>;
}

export async function openIndexProxy(settings: Registry): Promise<DatedProxy> {
  const served: ServedIndex = { settings, files: new Map(), undated: new Set() };
  const proxy = await openProxy((url, reply) => answer(url, reply, served));
  return { ...proxy, undated: served.undated };
}

async function answer(url: string, reply: Reply, { settings, files, undated }: ServedIndex): Promise<void> {
  const [, id, metadata = ""] = FILE.exec(url) ?? [];
  if (id !== undefined) {
    const file = files.get(id);
    if (file === undefined) return reply.refuse(403, "the index names no such file");
    return await reply.pass(new URL(`${file.origin}${file.pathname}${metadata}${file.search}`), settings);
  }
  const [, name] = PAGE.exec(url) ?? [];
  if (name === undefined) return reply.refuse(404, "only packages are read here");
  const page = new URL(`${name}/`, settings.root);
  const found = await getFrom(page, settings, ACCEPT);
  const text = await textOf(found);
  const type = String(found.headers["content-type"] ?? "text/html");
  if (found.statusCode === 200 && !text.includes('"upload-time"')) undated.add(name);
  reply.send(found.statusCode, type, withFiles(text, type.includes("json"), page, files));
}

const Page = z.looseObject({
  files: z.array(z.looseObject({ filename: z.string(), url: z.string(), "upload-time": z.string().optional() })),
});

/** A page whose files are at the proxy. */
function withFiles(text: string, isJson: boolean, page: URL, files: Map<string, URL>): string {
  const here = (address: string): string => {
    if (!URL.canParse(address, page.href)) return address;
    const file = new URL(address, page);
    const id = createHash("sha256").update(file.href).digest("hex").slice(0, 32);
    if (/^https?:$/.test(file.protocol)) files.set(id, file);
    return `${FILES}${id}/${file.pathname.split("/").at(-1)}${file.hash}`;
  };
  if (!isJson)
    return text.replace(/(\bhref\s*=\s*)(["'])(.*?)\2/g, (_, key: string, quote: string, address: string) => {
      return `${key}${quote}${here(address.replaceAll("&amp;", "&"))}${quote}`;
    });
  const told = readJson(text, Page);
  return told === null ? text : JSON.stringify({ ...told, files: asOfVersion(told.files, here) });
}

/** A version is there when its first file is: a wheel for a later Python is the same code, which needs no compiler. */
function asOfVersion(files: z.infer<typeof Page>["files"], here: (address: string) => string) {
  const first = new Map<string, string>();
  for (const { filename, "upload-time": time } of files) {
    const known = first.get(versionOf(filename));
    if (time !== undefined && (known === undefined || time < known)) first.set(versionOf(filename), time);
  }
  return files.map((file) => {
    const time = first.get(versionOf(file.filename));
    return { ...file, url: here(file.url), ...(time !== undefined && { "upload-time": time }) };
  });
}

/** `a-1.0-py3-none-any.whl`, `a-b-1.0.tar.gz` */
const versionOf = (filename: string): string =>
  filename.endsWith(".whl")
    ? (filename.split("-")[1] ?? "")
    : (/-(\d[^-]*?)(?:\.(?:tar\.\w+|tgz|zip))?$/.exec(filename)?.[1] ?? filename);
