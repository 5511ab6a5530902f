import java.util.Arrays;
import sidl.DoubleArray;
import stats.Empty;
import stats.Sample;

/** Average [URL] NUMBER...: the mean of the numbers, computed here or by a server. */
public class Average {
  public static void main(String[] words) {
    boolean hasUrl = words.length > 0 && words[0].contains("://");
    double[] numbers =
        Arrays.stream(words).skip(hasUrl ? 1 : 0).mapToDouble(Double::parseDouble).toArray();
    try (Sample sample = hasUrl ? Sample.create(words[0]) : Sample.create();
        DoubleArray values = DoubleArray.of(numbers)) {
      sample.add(values);
      System.out.println("mean: " + sample.mean());
    } catch (Empty error) {
      System.out.println("no mean: " + error.getNote());
      System.exit(1);
    }
  }
}
