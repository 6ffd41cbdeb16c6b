// `require` of the packages that programs and tests may use: PACKAGES has their sources by name.

const nodeRequire = globalThis.require;
const loadedPackages = new Map();

globalThis.require = Object.assign((name) => {
  if (!Object.hasOwn(PACKAGES, name)) return nodeRequire(name);
  if (!loadedPackages.has(name)) {
    const module = { exports: {} };
    loadedPackages.set(name, module);
    const names = ["module", "exports", "require"];
    require("node:vm").compileFunction(PACKAGES[name], names)(module, module.exports, nodeRequire);
  }
  return loadedPackages.get(name).exports;
}, nodeRequire);
