// The project's own CommonJS modules: loaded anew when they are required, one of them with another text. TypeScript is
// written to the file itself, as the loader that strips its types reads it there. MEND_ROOT: the folder of all modules.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");

const root = fs.realpathSync(process.env.MEND_ROOT ?? ".");
delete process.env.MEND_ROOT;
exports.root = root;

/** Puts a text into a file itself, where every loader finds it; null: its own again. One file at a time. */
exports.filePutter = () => {
  let own = { file: null, text: null };
  return (file, text) => {
    if (own.file !== file) own = { file, text: fs.readFileSync(file, "utf8") };
    fs.writeFileSync(file, text ?? own.text);
  };
};

exports.OwnModules = class OwnModules {
  constructor() {
    this.root = root + path.sep;
    this.file = null;
    this.text = null;
    this.putInFile = exports.filePutter();
    for (const extension of [".js", ".cjs"]) {
      const original = Module._extensions[extension] ?? Module._extensions[".js"];
      Module._extensions[extension] = (module, name) =>
        this.text !== null && name === this.file ? module._compile(this.text, name) : original(module, name);
    }
  }

  /** Has a text in the place of a file's own; null: its own again. */
  put(file, text) {
    if (!/\.[cm]?tsx?$/.test(file)) return void Object.assign(this, { file, text });
    this.putInFile(file, text);
  }

  /** Those that are loaded. */
  names() {
    const isOwn = (name) => name.startsWith(this.root) && !name.includes(`${path.sep}node_modules${path.sep}`);
    return Object.keys(require.cache).filter(isOwn);
  }

  forget(names = this.names()) {
    for (const name of names) {
      const { parent } = require.cache[name] ?? {};
      if (parent) parent.children = parent.children.filter(({ filename }) => filename !== name);
      delete require.cache[name];
    }
  }
};
