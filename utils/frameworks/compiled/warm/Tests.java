package mendwarm;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tests by their classes and the titles that reports give them. They run by JUnit's platform where its launcher is
 * there, else by JUnit 4; both are reached by name, as each project has a version of its own.
 */
final class Tests {
  private static final String PLATFORM = "org.junit.platform.";

  private final List<String> classes = new ArrayList<>();
  private final List<String> titles = new ArrayList<>();
  private List<Boolean> passed;

  /** @param words class and title in turn */
  Tests(List<String> words) {
    for (int i = 0; i + 1 < words.size(); i += 2) {
      classes.add(words.get(i));
      titles.add(words.get(i + 1));
    }
  }

  /** The numbers of those that did not pass. */
  String run(ClassLoader loader) {
    passed = Warm.copies(classes.size(), false);
    try {
      if (isThere(loader, PLATFORM + "launcher.core.LauncherFactory")) byPlatform(loader);
      else byJUnit4(loader);
    } catch (Throwable thrown) {
      passed = Warm.copies(classes.size(), false);
    }
    return Warm.numbersOf(passed);
  }

  private static boolean isThere(ClassLoader loader, String name) {
    try {
      loader.loadClass(name);
      return true;
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }

  /** Whether a title is the name of one method that takes nothing, which runs by itself. */
  private static boolean isPlain(ClassLoader loader, String type, String title) {
    try {
      int found = 0;
      for (Class<?> one = loader.loadClass(type); one != null; one = one.getSuperclass())
        for (Method method : one.getDeclaredMethods())
          if (method.getName().equals(title)) found += method.getParameterCount() == 0 ? 1 : 2;
      return found == 1;
    } catch (ClassNotFoundException | LinkageError missing) {
      return false;
    }
  }

  /** A class as a report has it, where one inside of another may be written either way. */
  private static String plain(String type) {
    return type.replace('$', '.');
  }

  private void tell(String type, Set<String> names, boolean isPassed, Set<Integer> failed) {
    for (int i = 0; i < classes.size(); i++) {
      if (!plain(classes.get(i)).equals(plain(type)) || !names.contains(titles.get(i))) continue;
      if (!isPassed) failed.add(i);
      passed.set(i, !failed.contains(i));
    }
  }

  // ── JUnit's platform ──

  private void byPlatform(ClassLoader loader) throws Exception {
    Class<?> selectorsType = loader.loadClass(PLATFORM + "engine.discovery.DiscoverySelectors");
    Class<?> selectorType = loader.loadClass(PLATFORM + "engine.DiscoverySelector");
    Class<?> listenerType = loader.loadClass(PLATFORM + "launcher.TestExecutionListener");
    Class<?> builderType = loader.loadClass(PLATFORM + "launcher.core.LauncherDiscoveryRequestBuilder");
    Class<?> requestType = loader.loadClass(PLATFORM + "launcher.LauncherDiscoveryRequest");
    Class<?> launcherType = loader.loadClass(PLATFORM + "launcher.Launcher");

    List<Object> selectors = new ArrayList<>();
    for (String[] one : chosen(loader))
      selectors.add(one.length == 1
          ? selectorsType.getMethod("selectClass", String.class).invoke(null, one[0])
          : selectorsType.getMethod("selectMethod", String.class, String.class).invoke(null, one[0], one[1]));
    Object builder = builderType.getMethod("request").invoke(null);
    builderType.getMethod("selectors", List.class).invoke(builder, selectors);
    Object request = builderType.getMethod("build").invoke(builder);

    Set<Integer> failed = new LinkedHashSet<>();
    Object listener = Proxy.newProxyInstance(loader, new Class<?>[] {listenerType}, (self, method, given) -> {
      if (method.getName().equals("executionFinished")) ended(loader, given[0], given[1], failed);
      if (method.getName().equals("hashCode")) return System.identityHashCode(self);
      if (method.getName().equals("equals")) return self == given[0];
      return method.getName().equals("toString") ? "listener" : null;
    });
    Object listeners = Array.newInstance(listenerType, 1);
    Array.set(listeners, 0, listener);
    Object launcher = loader.loadClass(PLATFORM + "launcher.core.LauncherFactory").getMethod("create").invoke(null);
    launcherType.getMethod("execute", requestType, listeners.getClass()).invoke(launcher, request, listeners);
    // What a class does behind its tests may fail, too.
    for (int i : failed) passed.set(i, false);
  }

  /** Classes, and methods of classes, each once. */
  private List<String[]> chosen(ClassLoader loader) {
    Set<String> whole = new LinkedHashSet<>();
    for (int i = 0; i < classes.size(); i++)
      if (!isPlain(loader, classes.get(i), titles.get(i))) whole.add(classes.get(i));
    List<String[]> all = new ArrayList<>();
    for (String one : whole) all.add(new String[] {one});
    for (int i = 0; i < classes.size(); i++)
      if (!whole.contains(classes.get(i))) all.add(new String[] {classes.get(i), titles.get(i)});
    return all;
  }

  private void ended(ClassLoader loader, Object test, Object result, Set<Integer> failed) throws Exception {
    Class<?> identifier = loader.loadClass(PLATFORM + "launcher.TestIdentifier");
    Class<?> resultType = loader.loadClass(PLATFORM + "engine.TestExecutionResult");
    boolean isPassed = "SUCCESSFUL".equals(String.valueOf(resultType.getMethod("getStatus").invoke(result)));
    Object source = ((java.util.Optional<?>) identifier.getMethod("getSource").invoke(test)).orElse(null);
    String type = source == null ? null : textOf(source, "getClassName");
    if (!(Boolean) identifier.getMethod("isTest").invoke(test)) {
      if (!isPassed) for (int i = 0; i < classes.size(); i++)
        if (type == null || plain(classes.get(i)).startsWith(plain(type))) failed.add(i);
      return;
    }
    if (type == null) return;
    Set<String> names = new LinkedHashSet<>();
    names.add(String.valueOf(textOf(source, "getMethodName")));
    names.add(bare(String.valueOf(identifier.getMethod("getDisplayName").invoke(test))));
    names.add(bare(String.valueOf(identifier.getMethod("getLegacyReportingName").invoke(test))));
    tell(type, names, isPassed, failed);
  }

  private static String bare(String name) {
    return name.endsWith("()") ? name.substring(0, name.length() - 2) : name;
  }

  private static String textOf(Object from, String getter) {
    try {
      return String.valueOf(from.getClass().getMethod(getter).invoke(from));
    } catch (ReflectiveOperationException none) {
      return null;
    }
  }

  // ── JUnit 4 ──

  /** It tells what fails: what it does not name has passed, where as many ran as there are. */
  private void byJUnit4(ClassLoader loader) throws Exception {
    Class<?> requestType = loader.loadClass("org.junit.runner.Request");
    Class<?> coreType = loader.loadClass("org.junit.runner.JUnitCore");
    Class<?> descriptionType = loader.loadClass("org.junit.runner.Description");
    Set<Integer> failed = new LinkedHashSet<>();
    for (String[] one : chosen(loader)) {
      Class<?> type = loader.loadClass(one[0]);
      Object request = one.length == 1
          ? requestType.getMethod("aClass", Class.class).invoke(null, type)
          : requestType.getMethod("method", Class.class, String.class).invoke(null, type, one[1]);
      Object result = coreType.getMethod("run", requestType).invoke(coreType.getConstructor().newInstance(), request);
      int ran = (Integer) result.getClass().getMethod("getRunCount").invoke(result);
      int wanted = 0;
      for (int i = 0; i < classes.size(); i++)
        if (classes.get(i).equals(one[0]) && (one.length == 1 || titles.get(i).equals(one[1]))) {
          passed.set(i, true);
          wanted++;
        }
      boolean isWhole = ran >= wanted;
      for (Object failure : (List<?>) result.getClass().getMethod("getFailures").invoke(result)) {
        Object description = failure.getClass().getMethod("getDescription").invoke(failure);
        Object method = descriptionType.getMethod("getMethodName").invoke(description);
        for (int i = 0; i < classes.size(); i++)
          if (classes.get(i).equals(one[0]) && (method == null || titles.get(i).equals(method))) failed.add(i);
      }
      if (!isWhole) for (int i = 0; i < classes.size(); i++) if (classes.get(i).equals(one[0])) failed.add(i);
    }
    for (int i : failed) passed.set(i, false);
  }
}
