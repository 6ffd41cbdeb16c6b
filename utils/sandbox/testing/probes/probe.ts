/** A probe: something that an honest test suite asks of the machine. */

export interface Probe {
  name: string;
  language: "shell" | "python" | "javascript";
  code: string;
  /** Layers that cannot give it, with the reason. */
  missing?: { landlock: string };
}

/** Landlock leaves the machine's network in place, so no socket may be made at all. */
export const NO_SOCKETS = { landlock: "no sockets: the machine's own network is in reach" };
/** Nothing is mounted: files of the machine are where and as they are, and other processes are not to be seen. */
export const NO_MOUNTS = { landlock: "nothing can be mounted" };

export const probes = (
  language: Probe["language"],
  rows: Readonly<Record<string, string>>,
  missing?: Probe["missing"],
): Probe[] => Object.entries(rows).map(([name, code]) => ({ name, language, code, ...(missing ? { missing } : {}) }));
