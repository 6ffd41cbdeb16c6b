/** The environment in which Node.js runs what others wrote. */

/**
 * WebAssembly without guard regions, which would take more address space than a box has, and esbuild (which tsx asks
 * for TypeScript) in a process of its own: a thread more finds no room beside them. No settings of the system.
 */
export const PLAIN_NODE_ENVIRONMENT = {
  NODE_OPTIONS: "--disable-wasm-trap-handler",
  ESBUILD_WORKER_THREADS: "0",
  OPENSSL_CONF: "/dev/null",
  CI: "1",
  NO_COLOR: "1",
};
