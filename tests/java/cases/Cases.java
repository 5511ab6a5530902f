import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Runs a case, as its argument says: "Values.nullsAreRefused". The static methods without parameters
 * of the classes that extend Checks are the cases.
 */
public final class Cases {
  private Cases() {}

  public static void main(String[] arguments) throws Throwable {
    final String[] names = arguments[0].split("\\.");
    final Method method = Class.forName(names[0]).getDeclaredMethod(names[1]);
    try {
      method.invoke(null);
    } catch (InvocationTargetException failure) {
      throw failure.getCause();
    }
    System.out.println("ok");
  }
}
