// Without bubblewrap a child of a box's program cannot read how much memory it uses, which ends runners that ask: they
// are told 0.

try {
  process.memoryUsage();
} catch {
  const { used_heap_size: heapUsed, total_heap_size: heapTotal } = require("node:v8").getHeapStatistics();
  const usage = () => ({ rss: 0, heapTotal, heapUsed, external: 0, arrayBuffers: 0 });
  process.memoryUsage = Object.assign(usage, { rss: () => 0 });
}
