/** Modules, plugins and fixtures that tests of Python ask for and do not find, and the packages that have them. */

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

/** Plugins of pytest by what asks for them: an option, a setting, a fixture, a mark. */
const PLUGINS: readonly [RegExp, string][] = [
  [/^(?:--asyncio-mode|asyncio_mode|asyncio_default_\w+|asyncio|unused_tcp_port|event_loop)$/, "pytest-asyncio"],
  [/^(?:--cov(?:-[\w-]+)?|--no-cov|cov)$/, "pytest-cov"],
  [/^(?:-n|-n(?:\d+|auto)|--dist|--numprocesses|worker_id|testrun_uid)$/, "pytest-xdist"],
  [/^(?:--timeout(?:-method)?|timeout(?:_method)?)$/, "pytest-timeout"],
  [/^(?:--benchmark-[\w-]+|benchmark)$/, "pytest-benchmark"],
  [/^(?:--ds|--reuse-db|--nomigrations|DJANGO_SETTINGS_MODULE|django_\w+)$/, "pytest-django"],
  [/^(?:--randomly-[\w-]+)$/, "pytest-randomly"],
  [/^(?:--reruns(?:-delay)?|flaky)$/, "pytest-rerunfailures"],
  [/^(?:--doctest-plus|--doctest-rst|--remote-data|remote_data)$/, "pytest-astropy"],
  [/^(?:--flake8|flake8-[\w-]+)$/, "pytest-flake8"],
  [/^(?:--black)$/, "pytest-black"],
  [/^(?:--mypy(?:-[\w-]+)?)$/, "pytest-mypy"],
  [/^(?:--disable-socket|--allow-hosts|socket_enabled|socket_disabled|enable_socket)$/, "pytest-socket"],
  [/^(?:--mpl(?:-[\w-]+)?|mpl_image_compare)$/, "pytest-mpl"],
  [/^(?:--snapshot-[\w-]+|snapshot)$/, "syrupy"],
  [/^(?:--strict-data-files|datadir|shared_datadir)$/, "pytest-datadir"],
  [/^(?:data_regression|file_regression|num_regression)$/, "pytest-regressions"],
  [/^(?:mocker|class_mocker|module_mocker|session_mocker)$/, "pytest-mock"],
  [/^(?:httpserver|make_httpserver)$/, "pytest-httpserver"],
  [/^(?:httpbin|httpbin_secure|httpbin_both)$/, "pytest-httpbin"],
  [/^(?:httpx_mock)$/, "pytest-httpx"],
  [/^(?:aiohttp_client|aiohttp_server)$/, "pytest-aiohttp"],
  [/^(?:requests_mock)$/, "requests-mock"],
  [/^(?:respx_mock)$/, "respx"],
  [/^(?:freezer)$/, "pytest-freezer"],
  [/^(?:subtests)$/, "pytest-subtests"],
  [/^(?:lazy_fixture)$/, "pytest-lazy-fixture"],
  [/^(?:trio|trio_mode|nursery|autojump_clock)$/, "pytest-trio"],
  [/^(?:qtbot|qapp|qt_api)$/, "pytest-qt"],
  [/^(?:celery_app|celery_worker)$/, "pytest-celery"],
  [/^(?:faker)$/, "Faker"],
];

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
        const asked = word.replace(/=.*$/, "");
        const plugin = PLUGINS.find(([one]) => one.test(asked));
        if (plugin) found.set(asked, plugin[1]);
      }
  for (const [, said = ""] of text.matchAll(REQUIRED_PLUGINS))
    for (const plugin of said.split(/,\s*/)) {
      const [name] = /^[A-Za-z][\w.-]*/.exec(plugin) ?? [];
      if (name !== undefined) found.set(name, name);
    }
  if (NO_ASYNC.test(text)) found.set("async def", "pytest-asyncio");
  return found;
}
