/**
 * Imported before any schema is made, by a command that lives for about a second: zod otherwise writes and compiles a
 * program for each kind of object that it reads, which pays off where many are read.
 */

import { config } from "zod";

config({ jitless: true });
