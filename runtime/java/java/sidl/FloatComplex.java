package sidl;

/**
 * A complex number: SIDL's {@code fcomplex}.
 *
 * @param real its real part
 * @param imaginary its imaginary part
 */
public record FloatComplex(float real, float imaginary) {
  /** Zero. */
  public static final FloatComplex ZERO = new FloatComplex(0f, 0f);

  /**
   * The sum.
   *
   * @param other the other number
   * @return this + other
   */
  public FloatComplex plus(FloatComplex other) {
    return new FloatComplex(real + other.real, imaginary + other.imaginary);
  }

  /**
   * The product.
   *
   * @param other the other number
   * @return this * other
   */
  public FloatComplex times(FloatComplex other) {
    return new FloatComplex(
        real * other.real - imaginary * other.imaginary,
        real * other.imaginary + imaginary * other.real);
  }

  /**
   * The absolute value.
   *
   * @return the distance from zero
   */
  public float abs() {
    return (float) Math.hypot(real, imaginary);
  }
}
