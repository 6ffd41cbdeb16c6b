// Without bubblewrap a child process in a box cannot read how much memory it uses, and test runners that ask would
// crash. They get 0 instead.

try {
  process.memoryUsage();
} catch {
  const { used_heap_size: heapUsed, total_heap_size: heapTotal } = require("node:v8").getHeapStatistics();
  const usage = () => ({ rss: 0, heapTotal, heapUsed, external: 0, arrayBuffers: 0 });
  process.memoryUsage = Object.assign(usage, { rss: () => 0 });
}
