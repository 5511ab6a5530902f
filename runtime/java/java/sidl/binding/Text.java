package sidl.binding;

import java.nio.charset.StandardCharsets;

/** SIDL's strings: UTF-8 that ends with a zero byte. */
final class Text {
  private Text() {}

  /** The bytes, and the zero; null of null. */
  static byte[] encode(String text) {
    if (text == null) {
      return null;
    }
    check(text);
    final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return java.util.Arrays.copyOf(bytes, bytes.length + 1);
  }

  static String decode(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  /** Throws an exception about what SIDL's strings cannot be. */
  static void check(String text) {
    final int zero = text.indexOf('\0');
    if (zero >= 0) {
      throw new IllegalArgumentException(
          "a string has a NUL character at index " + zero + ", where it would end in other languages");
    }
    for (int i = 0; i < text.length(); ++i) {
      final char c = text.charAt(i);
      if (!Character.isSurrogate(c)) {
        continue;
      }
      final boolean isPair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (!isPair) {
        throw new IllegalArgumentException(
            String.format("a string has an unpaired surrogate (U+%04X) at index %d", (int) c, i));
      }
      ++i;
    }
  }
}
