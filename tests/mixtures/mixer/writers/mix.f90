! The values of keys and the codes of values (values.py), in Fortran: what no package changes.
module mixing
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int32, int64, real32, real64
  use sidl
  implicit none

  integer(int64), parameter :: mix_m = 2147483647_int64
  integer, parameter :: few(0:4) = [0, 1, 2, 3, 5]
  integer, parameter :: many(0:23) = [0, 1, 2, 3, 7, 16, 64, 65, 127, 128, 129, 434, 511, 512, &
      513, 1024, 2047, 2048, 2049, 3472, 5000, 8191, 8192, 8193]
  integer, parameter :: texts(0:23) = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 100, 127, 128, 129, &
      255, 256, 511, 512, 513, 4096, 16383, 16384, 65536]
  integer, parameter :: dims(0:7, 2:7) = reshape([7, 0, 1, 2, 3, 16, 33, 64, &
      6, 0, 1, 2, 3, 8, 9, 0, 4, 1, 2, 3, 4, 0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 0, &
      3, 1, 2, 3, 0, 0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 0], [8, 6])
  integer(c_int8_t), target, save :: lock(64) = 0_c_int8_t  ! a mutex that nobody has
  integer(c_int8_t), target, save :: text_lock(64) = 0_c_int8_t

  !> What the C library says of its heap; hblkhd is the fifth of it, uordblks the eighth.
  type, bind(C) :: mallinfo2_type
    integer(c_size_t) :: numbers(10)
  end type mallinfo2_type

  interface
    type(mallinfo2_type) function mallinfo2() bind(C)
      import :: mallinfo2_type
    end function mallinfo2
    integer(c_int) function pthread_mutex_lock(mutex) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: mutex
    end function pthread_mutex_lock
    integer(c_int) function pthread_mutex_unlock(mutex) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: mutex
    end function pthread_mutex_unlock
  end interface

contains

  elemental integer(int64) function mix(a, b)
    integer(int64), intent(in) :: a, b
    mix = mod(mod(a * 48271_int64 + b, mix_m) * 16807_int64, mix_m)
  end function mix

  elemental integer(int64) function positive(k)
    integer(int64), intent(in) :: k
    positive = modulo(k, mix_m)
  end function positive

  ! ---- one value --------------------------------------------------------------------------------

  elemental logical function make_bool(k)
    integer(int64), intent(in) :: k
    make_bool = mod(k, 2_int64) == 1
  end function make_bool

  elemental character function make_char(k)
    integer(int64), intent(in) :: k
    make_char = achar(33 + mod(k, 94_int64))
  end function make_char

  elemental integer(int32) function make_int(k)
    integer(int64), intent(in) :: k
    integer(int32), parameter :: edges(0:4) = [-huge(1_int32) - 1_int32, huge(1_int32), 0_int32, &
        -1_int32, 1_int32]
    make_int = edges(mod(k / 8, 5_int64))
    if (mod(k, 8_int64) /= 0) make_int = int(k - 1073741824_int64, int32)
  end function make_int

  elemental integer(int64) function make_long(k)
    integer(int64), intent(in) :: k
    integer(int64), parameter :: edges(0:4) = [-huge(1_int64) - 1_int64, huge(1_int64), 0_int64, &
        -1_int64, 1_int64]
    make_long = edges(mod(k / 8, 5_int64))
    if (mod(k, 8_int64) /= 0) make_long = (k - 1073741824_int64) * 2147483648_int64 + mix(k, 1_int64)
  end function make_long

  elemental real(real32) function make_float(k)
    integer(int64), intent(in) :: k
    integer(int32), parameter :: edges(0:7) = [0_int32, -huge(1_int32) - 1_int32, &
        2143289344_int32, 2139095040_int32, -8388608_int32, 2139095039_int32, 1_int32, &
        1065353216_int32]
    make_float = transfer(edges(mod(k / 8, 8_int64)), 0.0_real32)
    if (mod(k, 8_int64) /= 0) then
      make_float = real(mod(k, 8388608_int64) - 4194304_int64, real32) / 256
    end if
  end function make_float

  elemental real(real64) function make_double(k)
    integer(int64), intent(in) :: k
    integer(int64), parameter :: edges(0:7) = [0_int64, -huge(1_int64) - 1_int64, &
        9221120237041090560_int64, 9218868437227405312_int64, -4503599627370496_int64, &
        9218868437227405311_int64, 1_int64, 4607182418800017408_int64]
    make_double = transfer(edges(mod(k / 8, 8_int64)), 0.0_real64)
    if (mod(k, 8_int64) /= 0) make_double = real(k - 1073741824_int64, real64) / 1024
  end function make_double

  elemental complex(real32) function make_fcomplex(k)
    integer(int64), intent(in) :: k
    make_fcomplex = cmplx(make_float(mix(k, 1_int64)), make_float(mix(k, 2_int64)), real32)
  end function make_fcomplex

  elemental complex(real64) function make_dcomplex(k)
    integer(int64), intent(in) :: k
    make_dcomplex = cmplx(make_double(mix(k, 1_int64)), make_double(mix(k, 2_int64)), real64)
  end function make_dcomplex

  ! Not allocatable: whoever calls it would have the length in a static variable, and there may be
  ! threads (docs/fortran.md, Who counts).
  function make_text(k, length) result(text)
    integer(int64), intent(in) :: k
    integer, intent(in) :: length
    character(length) :: text
    integer :: i
    do i = 1, length
      text(i:i) = achar(33 + mod(k + 7 * (i - 1), 94_int64))
    end do
    if (mod(k, 5_int64) == 0 .and. length >= 2) text(1:2) = char(195) // char(188)
  end function make_text

  function make_string(k) result(text)
    integer(int64), intent(in) :: k
    character(texts(mod(k, 24_int64))) :: text
    text = make_text(k, texts(mod(k, 24_int64)))
  end function make_string

  elemental integer(int64) function code_bool(v)
    logical, intent(in) :: v
    code_bool = merge(1, 0, v)
  end function code_bool

  elemental integer(int64) function code_char(v)
    character, intent(in) :: v
    code_char = ichar(v)
  end function code_char

  elemental integer(int64) function code_int(v)
    integer(int32), intent(in) :: v
    code_int = mod(v + 2147483648_int64, mix_m)
  end function code_int

  elemental integer(int64) function code_long(v)
    integer(int64), intent(in) :: v
    code_long = mod(shifta(v, 32) + 2147483648_int64 + 3 * iand(v, 4294967295_int64), mix_m)
  end function code_long

  elemental integer(int64) function code_float(v)
    real(real32), intent(in) :: v
    code_float = mod(iand(int(transfer(v, 0_int32), int64), 4294967295_int64), mix_m)
    if (v /= v) code_float = 7
  end function code_float

  elemental integer(int64) function code_double(v)
    real(real64), intent(in) :: v
    code_double = code_long(transfer(v, 0_int64))
    if (v /= v) code_double = 7
  end function code_double

  elemental integer(int64) function code_fcomplex(v)
    complex(real32), intent(in) :: v
    code_fcomplex = mix(code_float(real(v)), code_float(aimag(v)))
  end function code_fcomplex

  elemental integer(int64) function code_dcomplex(v)
    complex(real64), intent(in) :: v
    code_dcomplex = mix(code_double(real(v)), code_double(aimag(v)))
  end function code_dcomplex

  elemental integer(int64) function weight(i)
    integer(int64), intent(in) :: i
    weight = 1 + mod(i * 40503, 65521_int64)
  end function weight

  pure integer(int64) function code_string(v)
    character(*), intent(in) :: v
    integer(int64) :: i, total
    total = 0
    do i = 1, len_trim(v)
      total = total + ichar(v(i:i)) * weight(i - 1)
    end do
    code_string = mix(mod(total, mix_m), int(len_trim(v), int64))
  end function code_string

  !> Of what may be null, as a member of a struct.
  integer(int64) function code_allocated(v)
    character(:), allocatable, intent(in) :: v
    code_allocated = code_string('')
    if (allocated(v)) code_allocated = code_string(v)
  end function code_allocated

  ! ---- arrays -------------------------------------------------------------------------------------

  elemental logical function is_null_key(k)
    integer(int64), intent(in) :: k
    is_null_key = mod(mix(k, 1_int64), 8_int64) == 0
  end function is_null_key

  !> The lengths of an array.
  pure function lengths(is_small, rank, k) result(n)
    logical, intent(in) :: is_small
    integer, intent(in) :: rank
    integer(int64), intent(in) :: k
    integer :: n(rank), d
    integer(int64) :: draw
    do d = 1, rank
      draw = mix(k, int(1 + d, int64))
      if (is_small .and. rank <= 2) then
        n(d) = few(mod(draw, 5_int64))
      else if (rank == 1) then
        n(d) = many(mod(draw, 24_int64))
      else
        n(d) = dims(1 + mod(draw, int(dims(0, rank), int64)), rank)
      end if
    end do
  end function lengths

  !> The extent of a method's raw arrays.
  pure integer(int32) function extent(rank, key)
    integer, intent(in) :: rank
    integer(int64), intent(in) :: key
    extent = many(mod(mix(key, 102_int64), 24_int64))
    if (rank == 2) extent = few(mod(mix(key, 102_int64), 5_int64))
  end function extent

  ! ---- exceptions, and what implementations share ---------------------------------------------------

  !> Clears an exception: its code, and its text if that is wanted.
  integer(int64) function code_thrown(ex, said) result(found)
    type(sidl_BaseException), intent(inout) :: ex
    character(*), intent(inout), optional :: said
    type(sidl_ClassInfo) :: info
    character(:), allocatable :: name, note
    call ex%getClassInfo(info)
    call begin_text()
    name = info%getName()
    note = ex%getNote()
    call end_text()
    found = mix(code_string(name), code_string(note))
    if (present(said)) said = name // ' ' // note
    call ex%deleteRef()
  end function code_thrown

  character(21) function note_of(h) result(note)
    integer(int64), intent(in) :: h
    write (note, '(a, i0)') 'n', h
  end function note_of

  !> Around a call of a stub that is a function with a string: one thread at a time may be there
  !> (docs/fortran.md, Who counts).
  subroutine begin_text()
    integer(c_int) :: status
    status = pthread_mutex_lock(c_loc(text_lock))
  end subroutine begin_text

  subroutine end_text()
    integer(c_int) :: status
    status = pthread_mutex_unlock(c_loc(text_lock))
  end subroutine end_text

  subroutine mix_add(total, h)
    integer(int64), intent(inout) :: total
    integer(int64), intent(in) :: h
    integer(c_int) :: status
    status = pthread_mutex_lock(c_loc(lock))
    total = mod(total + h, mix_m)
    status = pthread_mutex_unlock(c_loc(lock))
  end subroutine mix_add

  subroutine mix_count(total, by)
    integer(int64), intent(inout) :: total
    integer, intent(in) :: by
    integer(c_int) :: status
    status = pthread_mutex_lock(c_loc(lock))
    total = total + by
    status = pthread_mutex_unlock(c_loc(lock))
  end subroutine mix_count

  !> Bytes that are allocated in this process.
  integer(int64) function mix_used()
    type(mallinfo2_type) :: info
    info = mallinfo2()
    mix_used = info%numbers(5) + info%numbers(8)
  end function mix_used

end module mixing
