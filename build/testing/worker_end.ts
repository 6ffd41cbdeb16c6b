/**
 * Vitest ends its workers by SIGTERM: what is done at the end of a process, such as the removal of its temporary folders, is
 * done then, too.
 */

// A worker loads this anew for each of its files.
if (process.listenerCount("SIGTERM") === 0) process.once("SIGTERM", () => process.exit());
