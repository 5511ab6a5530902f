package sidl;

/**
 * A complex number: SIDL's {@code dcomplex}.
 *
 * @param real its real part
 * @param imaginary its imaginary part
 */
public record DoubleComplex(double real, double imaginary) {
  /** Zero. */
  public static final DoubleComplex ZERO = new DoubleComplex(0.0, 0.0);

  /**
   * The sum.
   *
   * @param other the other number
   * @return this + other
   */
  public DoubleComplex plus(DoubleComplex other) {
    return new DoubleComplex(real + other.real, imaginary + other.imaginary);
  }

  /**
   * The product.
   *
   * @param other the other number
   * @return this * other
   */
  public DoubleComplex times(DoubleComplex other) {
    return new DoubleComplex(
        real * other.real - imaginary * other.imaginary,
        real * other.imaginary + imaginary * other.real);
  }

  /**
   * The absolute value.
   *
   * @return the distance from zero
   */
  public double abs() {
    return Math.hypot(real, imaginary);
  }
}
