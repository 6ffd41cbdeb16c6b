/** Modules, plugins and fixtures that tests of Python ask for and do not find, and the packages that have them. */

import { pluginOf } from "../../../../utils/frameworks/python/plugins.ts";

/** Packages that are called otherwise than their module. */
const MODULES: Readonly<Record<string, string>> = {
  attr: "attrs",
  bs4: "beautifulsoup4",
  Crypto: "pycryptodome",
  cv2: "opencv-python-headless",
  dateutil: "python-dateutil",
  distutils: "setuptools",
  docx: "python-docx",
  dotenv: "python-dotenv",
  git: "GitPython",
  "google.protobuf": "protobuf",
  jose: "python-jose",
  jwt: "PyJWT",
  magic: "python-magic",
  MySQLdb: "mysqlclient",
  OpenSSL: "pyOpenSSL",
  PIL: "Pillow",
  pkg_resources: "setuptools",
  psycopg2: "psycopg2-binary",
  serial: "pyserial",
  skimage: "scikit-image",
  sklearn: "scikit-learn",
  socks: "PySocks",
  usb: "pyusb",
  yaml: "PyYAML",
  zmq: "pyzmq",
};

/** Modules of other Pythons, and names that only a project of one's own has. */
const OF_NO_PACKAGE = /^(?:__main__|_\w+|asynchat|asyncore|imp|smtpd|conftest|tests?|testing|utils|helpers|setup)$/;

/** What programs say of something that is missing, in one group a name or several. */
const SAID_OF_MODULES = /(?:ModuleNotFoundError|ImportError)?:? ?No module named '?([\w.]+)'?/g;
const SAID_OF_PLUGINS: readonly RegExp[] = [
  /unrecognized arguments: (.+)/g,
  /Unknown config option: (\w+)/g,
  /fixture '(\w+)' not found/g,
  /'(\w+)' not found in `markers` configuration option/g,
  /has no attribute '(lazy_fixture)'/g,
];
const REQUIRED_PLUGINS = /Missing required plugins: (.+)/g;
const NO_ASYNC = /async def functions are not natively supported/;

/** @param files of the project, whose own modules are of no package */
export function missingOfPython(text: string, files: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const own = new Set(files.flatMap((file) => (file.endsWith(".py") ? file.slice(0, -3).split("/") : [])));
  for (const [, module = ""] of text.matchAll(SAID_OF_MODULES)) {
    const [top = ""] = module.split(".");
    const name = MODULES[module] ?? MODULES[top] ?? top;
    if (top !== "" && !own.has(top) && !OF_NO_PACKAGE.test(top)) found.set(module, name);
  }
  for (const pattern of SAID_OF_PLUGINS)
    for (const [, said = ""] of text.matchAll(pattern))
      for (const word of said.split(/\s+/)) {
        const plugin = pluginOf(word);
        if (plugin) found.set(word.replace(/=.*$/, ""), plugin);
      }
  for (const [, said = ""] of text.matchAll(REQUIRED_PLUGINS))
    for (const plugin of said.split(/,\s*/)) {
      const [name] = /^[A-Za-z][\w.-]*/.exec(plugin) ?? [];
      if (name !== undefined) found.set(name, name);
    }
  if (NO_ASYNC.test(text)) found.set("async def", "pytest-asyncio");
  return found;
}
