import { homedir } from "node:os";
import { join } from "node:path";

/** Where mend keeps what it can make anew. */
export const cacheFolder = (): string => join(process.env.XDG_CACHE_HOME?.trim() || join(homedir(), ".cache"), "mend");

/** Where what is installed for projects is kept. */
export const environmentsFolder = (): string => join(cacheFolder(), "environments");
