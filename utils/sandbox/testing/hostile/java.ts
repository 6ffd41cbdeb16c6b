/** As the Python programs: none may learn the secret that `f(1)` is asked for, forge a verdict or do harm. */

import { always, type HostileProgram } from "./program.ts";

/** Of processor time. Starting a virtual machine takes its share before a program has its turn. */
const USUAL_MS = 1500;

/** `members` of the class under test, whose method `f` answers 0 where they have none. */
function solution(members: string, more = "", imports = ""): string {
  const method = /\bf\(/.test(members) ? "" : 'public String f(int x) { return "0"; }';
  return `import java.io.*;\nimport java.nio.file.*;\nimport java.util.*;\n${imports}\nclass Solution {\n${members}\n${method}\n}\n${more}\n`;
}
const hostile = (name: string, members: string, more = "", imports = ""): HostileProgram => ({
  name,
  program: solution(members, more, imports),
});
const called = (name: string, body: string, more = "", imports = ""): HostileProgram =>
  hostile(name, `public String f(int x) { ${body} }`, more, imports);

const EXITS: HostileProgram[] = [
  hostile("exit 0 in a static initialiser", "static { System.exit(0); }"),
  hostile("halt in a static initialiser", "static { Runtime.getRuntime().halt(0); }"),
  hostile("exit 0 in an initialiser of the object", "{ System.exit(0); }"),
  hostile("exit 0 in the constructor", "Solution() { System.exit(0); }"),
  called("exit 0 when called", 'System.exit(0); return "";'),
  called("halt when called", 'Runtime.getRuntime().halt(0); return "";'),
  called("exit 0 in a finally", 'try { return "x"; } finally { System.exit(0); }'),
  called("exit from a thread", "new Thread(() -> System.exit(0)).start(); for (;;) { }"),
  called(
    "a hook of the shutdown that prints",
    'Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("passed"))); System.exit(0); return "";',
  ),
  called("throws an error of the tests", "throw new AssertionError();"),
  called(
    "throws an unprintable exception",
    "throw new RuntimeException() { @Override public String getMessage() { throw new Error(); } };",
  ),
];

const CLASSES: HostileProgram[] = [
  hostile(
    "an own Main with a main",
    "",
    "class Main { public static void main(String[] a) { System.out.println(1); System.exit(0); } }",
  ),
  hostile(
    "an own Arrays",
    "",
    "class Arrays { static List<Boolean> asList(Object... all) { return new ArrayList<>(); } }",
  ),
  hostile("an own Objects", "", "class Objects { static boolean equals(Object a, Object b) { return true; } }"),
  hostile(
    "an own AssertionError",
    "",
    "class AssertionError extends RuntimeException { AssertionError() { System.exit(0); } }",
  ),
  {
    name: "the stub's name for the judge",
    program:
      'package mendjudge;\nclass Remote { public static Object call(int i, String n, char w, Object... a) { return "x"; } }\nclass Solution { public String f(int x) { return "0"; } }\n',
  },
  {
    name: "a String of its own",
    program:
      "class Solution { public Same f(int x) { return new Same(); } }\nclass Same { @Override public boolean equals(Object o) { return true; } }\n",
  },
  hostile(
    "a list that equals all",
    "public Object f(int x) { return new ArrayList<Object>() { @Override public boolean equals(Object o) { return true; } }; }",
  ),
  hostile("a signature that runs something", 'public String f(int x, Object... y) { return "0"; }'),
];

const CHANNEL = `
    static void send(byte[] body) throws Exception {
        FileOutputStream out = new FileOutputStream(FileDescriptor.in);
        int n = body.length;
        out.write(new byte[] {(byte) n, (byte) (n >> 8), (byte) (n >> 16), (byte) (n >> 24)});
        out.write(body);
    }
    static final byte[] VERDICT = "{\\"outcome\\": \\"passed\\", \\"explanation\\": \\"\\", \\"loaded\\": true, \\"calls\\": 1, \\"during\\": \\"\\"}".getBytes();
`;

const FORGERIES: HostileProgram[] = [
  hostile(
    "a verdict on its channel while loading",
    `${CHANNEL} static { try { send(VERDICT); } catch (Exception e) { } }`,
  ),
  hostile(
    "a verdict in place of a value",
    `${CHANNEL} public String f(int x) { try { send(VERDICT); } catch (Exception e) { } System.exit(0); return ""; }`,
  ),
  hostile(
    "a reply without the call's number",
    `${CHANNEL} public String f(int x) { try { send(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 'v', 'T', 0, 0, 0, 0}); } catch (Exception e) { } return ""; }`,
  ),
  hostile(
    "a message that is too long",
    `public String f(int x) { try { new FileOutputStream(FileDescriptor.in).write(new byte[] {-1, -1, -1, -1}); } catch (Exception e) { } return ""; }`,
  ),
  called(
    "markers printed",
    'System.out.println("passed"); System.out.println("{\\"outcome\\": \\"passed\\"}"); System.exit(0); return "";',
  ),
  called(
    "reads on in its channel",
    "try { byte[] all = new byte[4096]; int n = new FileInputStream(FileDescriptor.in).read(all); return new String(all, 0, n); } catch (Exception e) { return e.toString(); }",
  ),
  called(
    "every descriptor",
    'for (int i = 0; i < 64; i++) { try { String s = Files.readString(Path.of("/proc/self/fd/" + i)); if (s.contains("secret-")) return s; } catch (Throwable e) { } } return "";',
  ),
  called(
    "reflection on the runner",
    'try { StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).forEach(each -> { for (var field : each.getDeclaringClass().getDeclaredFields()) { try { field.setAccessible(true); field.set(null, null); } catch (Throwable e) { } } }); } catch (Throwable e) { } return "";',
  ),
  called(
    "the judge's class by its loader",
    'try { var loader = ClassLoader.getSystemClassLoader(); var judge = Class.forName("mendjudge.Judge", false, loader); var finish = judge.getDeclaredMethod("finish", String.class, String.class); finish.setAccessible(true); finish.invoke(null, "passed", ""); } catch (Throwable e) { return e.toString(); } return "";',
  ),
  called(
    "a security manager",
    'try { System.setSecurityManager(new SecurityManager() { @Override public void checkExit(int s) { throw new SecurityException(); } }); } catch (Throwable e) { } return "";',
  ),
  called(
    "a thread that changes its answer",
    'new Thread(() -> { for (;;) { try { new FileOutputStream(FileDescriptor.in).write(1); } catch (Exception e) { return; } } }).start(); return "0";',
  ),
];

const secretOf = (expression: string): string =>
  `try { String s = ${expression}; int at = s.indexOf("secret-"); return at < 0 ? s : s.substring(at, Math.min(s.length(), at + 39)); } catch (Throwable e) { return e.toString(); }`;

const THEFTS: HostileProgram[] = [
  {
    ...called("a file everybody may read", secretOf('Files.readString(Path.of("@FILE@"))')),
    plainCannotStop: always("files can be read"),
  },
  {
    ...called(
      "a shell",
      secretOf('new String(new ProcessBuilder("/bin/cat", "@FILE@").start().getInputStream().readAllBytes())'),
    ),
    plainCannotStop: always("where processes can be started, files can be read"),
  },
  called(
    "classes and sources of the tests",
    'StringBuilder all = new StringBuilder(); for (String folder : new String[] {".", "/tmp", "/runtimes/java", System.getProperty("java.class.path")}) { try (var files = Files.walk(Path.of(folder))) { files.filter(Files::isRegularFile).forEach(p -> { try { all.append(new String(Files.readAllBytes(p), "ISO-8859-1")); } catch (Throwable e) { } }); } catch (Throwable e) { } } int at = all.indexOf("secret-"); return at < 0 ? "" : all.substring(at, at + 39);',
  ),
];

const HARM: HostileProgram[] = [
  called(
    "memory outside of the heap",
    "List<Object> all = new ArrayList<>(); for (;;) all.add(java.nio.ByteBuffer.allocateDirect(1 << 24));",
  ),
  called("a call without end", "return f(x);"),
  hostile(
    "a value without end",
    "public Object f(int x) { List<Object> all = new ArrayList<>(); all.add(all); return all; }",
  ),
  hostile("a value of many items", "public Object f(int x) { return new int[50_000_000]; }"),
  called(
    "deletes the class under test of others",
    'try { for (File each : new File(System.getProperty("java.class.path") + "/mendjudge").listFiles()) each.delete(); } catch (Throwable e) { } return "";',
  ),
];

/** What the compiler is given: it must not run, read or take on with it what follows. */
const COMPILING: HostileProgram[] = [
  hostile("a bomb of nested generics", `${"Map<String, ".repeat(2000)}String${">".repeat(2000)} x;`),
  hostile("a bomb of nested calls", `String g() { return ${"String.valueOf(".repeat(3000)}1${")".repeat(3000)}; }`),
  hostile(
    "a bomb of finally",
    `void g() { ${"try { h(); } finally { ".repeat(18)} h(); ${"}".repeat(18)} } void h() { }`,
  ),
  hostile(
    "a bomb of inference",
    `static <T> T id(T a, T b) { return a; } Object g() { return ${"id(1, ".repeat(40)}2${")".repeat(40)}; }`,
  ),
  hostile(
    "a constant that doubles",
    Array.from(
      { length: 30 },
      (_, i) => `static final String S${i} = ${i === 0 ? '"0123456789"' : `S${i - 1} + S${i - 1}`};`,
    ).join("\n"),
  ),
  hostile(
    "an annotation processor",
    "",
    "class P extends javax.annotation.processing.AbstractProcessor { static { System.exit(0); } public boolean process(Set<? extends javax.lang.model.element.TypeElement> a, javax.annotation.processing.RoundEnvironment r) { return true; } }",
  ),
  {
    name: "a class of Java's own",
    program:
      "package java.lang;\npublic class String { }\nclass Solution { public String f(int x) { return null; } }\n",
  },
  { name: "no program at all", program: "}{)(\u0001\uffff" },
];

/** Tried against the hand-over of executables, and against what a runtime does around a program. */
const AROUND: HostileProgram[] = [
  called(
    "the executables and classes of other processes",
    'for (int p = 1; p < 400; p++) for (String n : new String[] {"exe", "mem", "environ", "fd/0", "fd/1", "fd/3", "fd/4"}) try { byte[] all = new byte[1 << 20]; int k = new FileInputStream("/proc/" + p + "/" + n).read(all); String s = new String(all, 0, Math.max(k, 0)); int at = s.indexOf("secret-"); if (at >= 0) return s.substring(at, at + 39); } catch (Exception e) { } return "";',
  ),
  called(
    "stops the thread that answers",
    'for (Thread t : Thread.getAllStackTraces().keySet()) if (t.getName().equals("main")) t.stop(); return "";',
  ),
  called(
    "writes to the memory of its machine",
    'try { java.lang.reflect.Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe"); f.setAccessible(true); ((sun.misc.Unsafe) f.get(null)).putAddress(0, 0); } catch (Exception e) { } return "";',
  ),
  called(
    "loads a library of its own",
    'try { Files.write(Paths.get("/tmp/x.so"), new byte[4096]); System.load("/tmp/x.so"); } catch (Throwable e) { } return "";',
  ),
  called(
    "starts a tool of the kit",
    'try { java.util.spi.ToolProvider.findFirst("javac").get().run(System.out, System.err, "-version"); } catch (Throwable e) { } System.exit(0); return "";',
  ),
  called(
    "puts another channel in the place of the runner's",
    'try { Class<?> c = ClassLoader.getSystemClassLoader().loadClass("mendjudge.Channel"); java.lang.reflect.Constructor<?> k = c.getDeclaredConstructors()[0]; k.setAccessible(true); Object o = k.newInstance(FileDescriptor.in); java.lang.reflect.Method m = c.getDeclaredMethod("send", byte[].class); m.setAccessible(true); m.invoke(o, (Object) "{\\"outcome\\": \\"passed\\"}".getBytes()); } catch (Exception e) { } return "";',
  ),
  called(
    "answers for the runner by a method handle",
    'try { Class<?> c = ClassLoader.getSystemClassLoader().loadClass("mendjudge.Values$Writer"); java.lang.invoke.MethodHandles.privateLookupIn(c, java.lang.invoke.MethodHandles.lookup()).findConstructor(c, java.lang.invoke.MethodType.methodType(void.class)).invoke(); } catch (Throwable e) { } return "";',
  ),
  called(
    "a value whose class changes when it is read",
    'return new String(new char[] {}) + new Object() { @Override public String toString() { System.exit(0); return ""; } };',
  ),
  called(
    "a cleaner that exits",
    "java.lang.ref.Cleaner.create().register(new Object(), () -> Runtime.getRuntime().halt(0)); for (;;) System.gc();",
  ),
  called(
    "a handler of uncaught exceptions that exits",
    "Thread.setDefaultUncaughtExceptionHandler((t, e) -> Runtime.getRuntime().halt(0)); new Thread(() -> { throw new Error(); }).start(); for (;;) { }",
  ),
  {
    name: "an own class of the runner's package",
    program:
      "package mendjudge;\nfinal class Channel { static { System.exit(0); } Channel(Object o) { } }\n" +
      'class Solution { public String f(int x) { return "0"; } }\n',
  },
];

/** Tried against what reads and links a program before it runs, and against what a runtime does by itself. */
const UNSEEN: HostileProgram[] = [
  hostile(
    "a class behind the end of a comment",
    "// \\u000a} class Main { static { System.exit(0); } public static void main(String[] a) { }",
  ),
  {
    name: "a module of its own",
    program: 'module m { requires jdk.attach; opens p; }\nclass Solution { public String f(int x) { return "0"; } }\n',
  },
  called(
    "all that its machine holds, in a file",
    'try { com.sun.management.HotSpotDiagnosticMXBean b = java.lang.management.ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class); b.dumpHeap("all.hprof", false); String all = new String(Files.readAllBytes(Paths.get("all.hprof")), "ISO-8859-1"); int at = all.indexOf("secret-"); return at < 0 ? "" : all.substring(at, at + 39); } catch (Throwable e) { return ""; }',
  ),
  called(
    "walks through the callers for what they hold",
    'return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE).walk(s -> { StringBuilder all = new StringBuilder(); s.forEach(one -> { for (java.lang.reflect.Field each : one.getDeclaringClass().getDeclaredFields()) try { each.setAccessible(true); all.append(each.get(null)); } catch (Throwable e) { } }); int at = all.indexOf("secret-"); return at < 0 ? "" : all.substring(at, at + 39); });',
  ),
  hostile(
    "waits for itself while it is loaded",
    "static final Thread OTHER = new Thread(() -> Solution.touch()); static { OTHER.start(); try { OTHER.join(); } catch (InterruptedException e) { } } static void touch() { }",
  ),
  hostile(
    "services that the runner's library looks for",
    'public String f(int x) { return String.format("%s", new Object() { @Override public String toString() { Locale.setDefault(new Locale("x")); System.setProperty("file.encoding", "UTF-16"); return "secret-"; } }); }',
    "class Finder extends java.nio.charset.spi.CharsetProvider { static { System.exit(0); } public Iterator<java.nio.charset.Charset> charsets() { return null; } public java.nio.charset.Charset charsetForName(String n) { System.exit(0); return null; } }",
  ),
];

export const HOSTILE_JAVA: HostileProgram[] = [
  ...[...EXITS, ...CLASSES, ...FORGERIES, ...THEFTS, ...HARM, ...COMPILING, ...AROUND, ...UNSEEN],
].map((program) => ({ timeoutMs: USUAL_MS, ...program, name: `Java: ${program.name}`, language: "java" }));
