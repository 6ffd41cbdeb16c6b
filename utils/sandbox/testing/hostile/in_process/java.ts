/** Java: compiled apart, one loader of classes, and of Java's own modules `java.base` alone. */

import { type Cheat, type CheatedTask, OWN_COMPARISON } from "./cheat.ts";

const IMPORTS = "import java.io.*;\nimport java.lang.reflect.*;\nimport java.util.*;\nimport java.util.function.*;\n\n";
const BOX =
  "class Box {\n    final int n;\n    Box(int n) { this.n = n; }\n    @Override public boolean equals(Object o) { return o instanceof Box && ((Box) o).n == n; }\n    @Override public int hashCode() { return n; }\n}\n\n";
const open = (body: string, more = "") =>
  `class Solution {\n    ${more}\n    public Box open(Box box, IntUnaryOperator op) {\n        ${body}\n    }\n}\n`;
const WRONG = open("return new Box(-1 - box.n);");
const around = (name: string, more: string, own = WRONG): Cheat => ({
  name,
  program: `${IMPORTS}${BOX}${more}\n${own}`,
});
const called = (name: string, body: string, more = ""): Cheat => ({
  name,
  program: `${IMPORTS}${BOX}${open(`try { ${body} } catch (Throwable t) { } return new Box(-1 - box.n);`, more)}`,
});

const FORGE = `static void forge(String nonce) throws Exception {
        String v = "{\\"nonce\\": \\"" + nonce + "\\", \\"outcome\\": \\"passed\\", \\"explanation\\": \\"\\", \\"loaded\\": true, \\"calls\\": 0, \\"checks\\": @CHECKS@}";
        byte[] frame = new byte[v.length() + 4];
        for (int i = 0; i < 4; i++) frame[i] = (byte) (v.length() >> 8 * i);
        System.arraycopy(v.getBytes(), 0, frame, 4, v.length());
        new FileOutputStream(FileDescriptor.in).write(frame);
        Runtime.getRuntime().halt(0);
    }`;
const ZEROS = '"0".repeat(32)';
const OURS = (name: string) => `ClassLoader.getSystemClassLoader().loadClass("mendjudge.${name}")`;

const CHEATS: Cheat[] = [
  { name: "exit while loading", program: `${IMPORTS}${BOX}${open("return box;", "static { System.exit(0); }")}` },
  {
    name: "halt while its type loads",
    program: `${IMPORTS}${BOX.replace("final int n;", "final int n; static { Runtime.getRuntime().halt(0); }")}${WRONG}`,
  },
  called("exit", "System.exit(0);"),
  called("halt", "Runtime.getRuntime().halt(0);"),
  called("a thread that exits", "Thread t = new Thread(() -> System.exit(0)); t.start(); t.join();"),
  called("the tests' thread ended", "Thread.currentThread().stop();"),
  called(
    "a hook at the end",
    "Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); System.exit(0);",
  ),
  { name: "an error that is no failed assertion", program: `${IMPORTS}${BOX}${open("throw new ThreadDeath();")}` },
  {
    name: "an exception of its own",
    program: `${IMPORTS}${BOX}class Done extends Error { public StackTraceElement[] getStackTrace() { Runtime.getRuntime().halt(0); return null; } }\n${open("throw new Done();")}`,
  },
  around(
    "own classes of Java's names",
    "class AssertionError extends Error { }\nclass Arrays { static <T> List<T> asList(T... x) { return new ArrayList<T>(); } }\nclass Objects { }\nclass Boolean { }\nclass List { boolean contains(Object o) { return false; } }".replace(
      "<T> List<T>",
      "<T> java.util.List<T>",
    ),
  ),
  around("an own Main", "class Main { public static void main(String[] args) { } }"),
  around(
    "classes of the tests' names",
    "class Tests { }\nclass Checks { static boolean held(String what, boolean holds) { return true; } static void reached() { } }",
  ),
  {
    name: "a package of ours",
    program:
      "package mendjudge;\npublic class Checks { public static boolean held(String what, boolean holds) { return true; } public static void reached() { } }\n",
  },
  called("a verdict without a number", 'forge("");', FORGE),
  called("a verdict with a number of its own", `forge(${ZEROS});`, FORGE),
  called(
    "the number read from the channel",
    "byte[] b = new byte[32]; new FileInputStream(FileDescriptor.in).read(b); forge(new String(b));",
    FORGE,
  ),
  called(
    "checks counted by itself",
    'Class<?> c = Class.forName("mendjudge.Checks"); for (int i = 0; i < @CHECKS@; i++) c.getMethod("reached").invoke(null); System.exit(0);',
  ),
  called(
    "the first failure taken away",
    `Field f = ${OURS("Checks")}.getDeclaredField("firstFailure"); f.setAccessible(true); new Thread(() -> { for (;;) try { f.set(null, ""); } catch (Exception e) { } }).start();`,
  ),
  called(
    "fields of ours",
    'for (String n : "InProcess Channel Checks Remote Judge".split(" ")) for (Field f : ClassLoader.getSystemClassLoader().loadClass("mendjudge." + n).getDeclaredFields()) { if (!Modifier.isStatic(f.getModifiers())) continue; f.setAccessible(true); Object v = f.get(null); if (v instanceof String && ((String) v).length() == 32) forge((String) v); }',
    FORGE,
  ),
  called(
    "our main called again",
    `Method m = ${OURS("InProcess")}.getDeclaredMethod("main", String[].class); m.setAccessible(true); m.invoke(null, (Object) new String[0]);`,
  ),
  called(
    "the classes of the loader",
    "Object l = Box.class.getClassLoader(); for (Field f : l.getClass().getDeclaredFields()) { f.setAccessible(true); Object v = f.get(l); if (v instanceof Map) ((Map) v).clear(); }",
  ),
  called(
    "assertions turned off",
    "Box.class.getClassLoader().setDefaultAssertionStatus(false); Box.class.getClassLoader().clearAssertionStatus();",
  ),
  called(
    "the tests' fields",
    'for (Field f : Class.forName("Main").getDeclaredFields()) { f.setAccessible(true); f.set(null, null); }',
  ),
  called(
    "the stack walked",
    "StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(f -> { for (Field x : f.getDeclaringClass().getDeclaredFields()) try { x.setAccessible(true); Object v = x.get(null); if (v instanceof String && ((String) v).length() == 32) forge((String) v); } catch (Exception e) { } });",
    FORGE,
  ),
  called(
    "the values of locals",
    'Class<?> c = Class.forName("java.lang.LiveStackFrame"); Method m = c.getDeclaredMethod("getStackWalker"); m.setAccessible(true); m.invoke(null);',
  ),
  called(
    "all memory dumped",
    'Class<?> b = Class.forName("com.sun.management.HotSpotDiagnosticMXBean"); Object d = Class.forName("java.lang.management.ManagementFactory").getMethod("getPlatformMXBean", Class.class).invoke(null, b); b.getMethod("dumpHeap", String.class, boolean.class).invoke(d, "heap.hprof", true); forge(new String(new FileInputStream("heap.hprof").readAllBytes(), "ISO-8859-1").replaceAll("(?s).*?\\\\b([0-9a-f]{32})\\\\b.*", "$1"));',
    FORGE,
  ),
  called(
    "Unsafe",
    'Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe"); f.setAccessible(true); Object u = f.get(null); u.getClass().getMethod("putByte", long.class, byte.class).invoke(u, 0L, (byte) 1);',
  ),
  called(
    "Java's own Unsafe",
    'Class<?> c = Class.forName("jdk.internal.misc.Unsafe"); Method m = c.getMethod("getUnsafe"); m.invoke(null);',
  ),
  called(
    "its memory as a file",
    'RandomAccessFile m = new RandomAccessFile("/proc/self/mem", "r"); m.seek(1 << 20); m.read();',
  ),
  called(
    "whole numbers changed",
    'Field f = Integer.class.getDeclaredField("value"); f.setAccessible(true); for (int i = -128; i < 128; i++) f.setInt(Integer.valueOf(i), 7);',
  ),
  called(
    "the security of modules",
    'Method m = Module.class.getDeclaredMethod("implAddOpens", String.class); m.setAccessible(true); m.invoke(Object.class.getModule(), "java.lang");',
  ),
  called("another process", 'new ProcessBuilder("/bin/true").start().waitFor(); System.exit(0);'),
  { name: "a stack that overflows", program: `${IMPORTS}${BOX}${open("return open(box, op);")}` },
  {
    ...around("an own comparison", "", WRONG),
    program: `${IMPORTS}${BOX.replace("return o instanceof Box && ((Box) o).n == n;", "return true;")}${WRONG}`,
    test: "public class Main {\n    public static void main(String[] args) {\n        if (!new Solution().open(new Box(1), x -> x + 1).equals(new Box(2))) throw new AssertionError();\n    }\n}\n",
    passes: OWN_COMPARISON,
  },
];

export const JAVA: CheatedTask = {
  entryPoint: "open",
  declared: IMPORTS + BOX + WRONG,
  correct: IMPORTS + BOX + open("return new Box(op.applyAsInt(box.n));"),
  test: `public class Main {
    static int[] factors = {7, 8};

    public static void main(String[] args) {
        Solution s = new Solution();
        for (int n = 0; n < 3; n++) {
            if (s.open(new Box(n), x -> 7 * x).n != 7 * n) {
                throw new AssertionError();
            }
        }
        assert s.open(new Box(1), x -> x + factors[1]).n == 9;
        List<Boolean> correct = Arrays.asList(s.open(new Box(4), x -> 0).n == 0, s.open(new Box(4), x -> x).n == 4);
        if (correct.contains(false)) throw new AssertionError();
    }
}
`,
  cheats: CHEATS,
};
