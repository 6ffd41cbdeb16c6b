package mendwarm;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;

/**
 * Runs tests of JUnit many times in one process: each time the project's own classes are loaded anew, so that no static
 * state of theirs is left of the run before; libraries stay. Orders are lines of stdin with tabs between their words:
 *
 * <pre>
 * tests CLASS TITLE …          which tests there are; no answer
 * run VERSION                  answer: mend ran, and the numbers of the tests that did not pass
 * compile OUT CLASSPATH FILE…  answer: a line "mend said …" for each mistake, then mend compiled or mend broken
 * </pre>
 *
 * Its arguments are the class path as programs may ask for it, and the part of it that is the project's own. A test that
 * ends the process, or never ends, gives no answer: who asked starts another one.
 */
public final class Warm {
  private static final PrintStream OUT = System.out;
  /** Threads of Java itself, which stay and do nothing of the tests'. */
  private static final List<String> OF_JAVA =
      Arrays.asList("ForkJoinPool.commonPool", "process reaper", "Common-Cleaner", "Attach Listener", "Signal Dispatcher");

  private Warm() {}

  public static void main(String[] args) throws Exception {
    System.setProperty("java.class.path", args.length > 0 ? args[0] : "");
    List<URL> own = new ArrayList<>();
    for (String path : Arrays.asList(args).subList(Math.min(1, args.length), args.length))
      own.add(new File(path).toURI().toURL());
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.setIn(new ByteArrayInputStream(new byte[0]));
    PrintStream nowhere = new PrintStream(new OutputStream() {
      @Override
      public void write(int one) {}

      @Override
      public void write(byte[] bytes, int from, int count) {}
    });
    Tests tests = null;
    for (String line; (line = orders.readLine()) != null; ) {
      String[] words = line.split("\t", -1);
      if (words[0].equals("tests")) tests = new Tests(Arrays.asList(words).subList(1, words.length));
      else if (words[0].equals("compile")) compile(words);
      else if (tests != null && run(tests, words[1], own.toArray(new URL[0]), nowhere)) break;
    }
    Runtime.getRuntime().halt(0);
  }

  private static void compile(String[] words) {
    List<String> mistakes = Sources.compile(words[1], words[2], Arrays.asList(words).subList(3, words.length));
    for (String one : mistakes) answer("said " + one);
    answer(mistakes.isEmpty() ? "compiled" : "broken");
  }

  /** Whether something of the tests is left, so that none should run here any more. */
  private static boolean run(Tests tests, String version, URL[] own, PrintStream nowhere) throws Exception {
    Properties properties = (Properties) System.getProperties().clone();
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    System.setOut(nowhere);
    System.setErr(nowhere);
    System.setProperty("MEND_AT", version);
    String failed;
    try (URLClassLoader loader = new URLClassLoader(own, Warm.class.getClassLoader())) {
      Thread.currentThread().setContextClassLoader(loader);
      failed = tests.run(loader);
    } finally {
      Thread.currentThread().setContextClassLoader(Warm.class.getClassLoader());
      System.setProperties(properties);
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }
    boolean isLeft = isLeft(before);
    answer("ran " + failed + (isLeft ? " and ends" : ""));
    return isLeft;
  }

  private static boolean isLeft(Set<Thread> before) {
    Set<Thread> now = new HashSet<>(Thread.getAllStackTraces().keySet());
    now.removeAll(before);
    for (Thread thread : now) if (thread.isAlive() && OF_JAVA.stream().noneMatch(thread.getName()::startsWith)) return true;
    return false;
  }

  private static void answer(String text) {
    byte[] line = ("mend " + text.replace("\n", " ") + "\n").getBytes(StandardCharsets.UTF_8);
    OUT.write(line, 0, line.length);
    OUT.flush();
  }

  /** The numbers of a list's items that are not among some others. */
  static String numbersOf(List<Boolean> passed) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < passed.size(); i++) if (!passed.get(i)) text.append(text.length() == 0 ? "" : ",").append(i);
    return text.length() == 0 ? "-" : text.toString();
  }

  static <T> List<T> copies(int count, T value) {
    return new ArrayList<>(Collections.nCopies(count, value));
  }
}
