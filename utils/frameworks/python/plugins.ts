/** Plugins of pytest by what asks for them: an option, a setting, a fixture, a mark. */
const PLUGINS: readonly [RegExp, string][] = [
  [/^(?:--asyncio-\w+|asyncio(?:_\w+)?|unused_tcp_port|event_loop)$/, "pytest-asyncio"],
  [/^(?:--(?:no-)?cov(?:-[\w-]+)?|cov)$/, "pytest-cov"],
  [/^(?:-n\w*|--dist|--(?:num|max)processes|looponfail\w*|--boxed|worker_id|testrun_uid)$/, "pytest-xdist"],
  [/^(?:--timeout[\w-]*|timeout\w*|session_timeout)$/, "pytest-timeout"],
  [/^(?:--benchmark-[\w-]+|benchmark)$/, "pytest-benchmark"],
  [/^(?:--ds|--reuse-db|--nomigrations|DJANGO_\w+|django_\w+)$/, "pytest-django"],
  [/^--randomly-[\w-]+$/, "pytest-randomly"],
  [/^(?:--reruns(?:-delay)?|--only-rerun|flaky)$/, "pytest-rerunfailures"],
  [/^(?:--doctest-plus|--doctest-rst|--remote-data|remote_data)$/, "pytest-astropy"],
  [/^(?:--flake8|flake8-[\w-]+)$/, "pytest-flake8"],
  [/^--black$/, "pytest-black"],
  [/^(?:--mypy(?:-[\w-]+)?|mypy_\w+)$/, "pytest-mypy"],
  [/^(?:--disable-socket|--allow-hosts|socket_enabled|socket_disabled|enable_socket)$/, "pytest-socket"],
  [/^(?:--mpl(?:-[\w-]+)?|mpl_image_compare)$/, "pytest-mpl"],
  [/^(?:--snapshot-[\w-]+|snapshot)$/, "syrupy"],
  [/^(?:--strict-data-files|datadir|shared_datadir)$/, "pytest-datadir"],
  [/^(?:data_regression|file_regression|num_regression)$/, "pytest-regressions"],
  [/^(?:(?:class_|module_|session_)?mocker|mock_\w+)$/, "pytest-mock"],
  [/^(?:httpserver|make_httpserver)$/, "pytest-httpserver"],
  [/^(?:httpbin|httpbin_secure|httpbin_both)$/, "pytest-httpbin"],
  [/^httpx_mock$/, "pytest-httpx"],
  [/^(?:aiohttp_client|aiohttp_server)$/, "pytest-aiohttp"],
  [/^requests_mock$/, "requests-mock"],
  [/^respx_mock$/, "respx"],
  [/^freezer$/, "pytest-freezer"],
  [/^subtests$/, "pytest-subtests"],
  [/^lazy_fixture$/, "pytest-lazy-fixture"],
  [/^(?:trio|trio_mode|nursery|autojump_clock)$/, "pytest-trio"],
  [/^(?:--qt-[\w-]+|qt_\w+|qtbot|qapp)$/, "pytest-qt"],
  [/^(?:celery_app|celery_worker)$/, "pytest-celery"],
  [/^faker$/, "Faker"],
  [/^env(?:_files)?$/, "pytest-env"],
  [/^anyio_\w+$/, "anyio"],
  [/^--(?:html|self-contained-html)$/, "pytest-html"],
];

/** The package of the plugin that knows an option, with or without its value, a setting, a fixture or a mark. */
export function pluginOf(asked: string): string | undefined {
  const name = asked.replace(/=.*$/, "");
  return PLUGINS.find(([pattern]) => pattern.test(name))?.[1];
}
