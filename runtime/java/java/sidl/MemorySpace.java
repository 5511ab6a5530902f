package sidl;

/**
 * Where the elements of an array are: host memory, or that of a device, as DLPack names it. Java
 * reads and writes elements in host memory only; other arrays can be passed on, sliced and copied.
 *
 * @param deviceType the type of the device, 2 for CUDA
 * @param deviceId its number
 */
public record MemorySpace(int deviceType, int deviceId) {
  /** Host memory. */
  public static final MemorySpace HOST = new MemorySpace(1, 0);

  /**
   * The memory of a CUDA device.
   *
   * @param number of the device
   * @return the space
   */
  public static MemorySpace cuda(int number) {
    return new MemorySpace(2, number);
  }
}
