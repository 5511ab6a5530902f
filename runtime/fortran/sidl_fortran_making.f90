! sidl_fortran_making: the arrays that users make, with bounds of 32 or of 64 bits.
module sidl_fortran_making
  use, intrinsic :: iso_c_binding
  implicit none
  private

  public :: sidl_allocate, sidl_make, sidl_make_handles, sidl_make_text

  !> A new array, which a method can return without a copy. Indices begin at 1 if `lower` is absent.
  !! `stat` is 0, or 1 if memory is exhausted or the bounds are not possible; without it the program
  !! then ends.
  interface sidl_allocate
    procedure :: sidl_allocate_logical, sidl_allocate64_logical
    subroutine sidl_allocate_int(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate')
      import
      integer(c_int32_t), pointer, intent(out) :: x(..)
      integer(c_int32_t), intent(in) :: upper(*)
      integer(c_int32_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate_int
    subroutine sidl_allocate_long(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate')
      import
      integer(c_int64_t), pointer, intent(out) :: x(..)
      integer(c_int32_t), intent(in) :: upper(*)
      integer(c_int32_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate_long
    subroutine sidl_allocate_float(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate')
      import
      real(c_float), pointer, intent(out) :: x(..)
      integer(c_int32_t), intent(in) :: upper(*)
      integer(c_int32_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate_float
    subroutine sidl_allocate_double(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate')
      import
      real(c_double), pointer, intent(out) :: x(..)
      integer(c_int32_t), intent(in) :: upper(*)
      integer(c_int32_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate_double
    subroutine sidl_allocate_fcomplex(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate')
      import
      complex(c_float_complex), pointer, intent(out) :: x(..)
      integer(c_int32_t), intent(in) :: upper(*)
      integer(c_int32_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate_fcomplex
    subroutine sidl_allocate_dcomplex(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate')
      import
      complex(c_double_complex), pointer, intent(out) :: x(..)
      integer(c_int32_t), intent(in) :: upper(*)
      integer(c_int32_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate_dcomplex
    subroutine sidl_allocate_opaque(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate')
      import
      type(c_ptr), pointer, intent(out) :: x(..)
      integer(c_int32_t), intent(in) :: upper(*)
      integer(c_int32_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate_opaque
    subroutine sidl_allocate64_int(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate64')
      import
      integer(c_int32_t), pointer, intent(out) :: x(..)
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate64_int
    subroutine sidl_allocate64_long(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate64')
      import
      integer(c_int64_t), pointer, intent(out) :: x(..)
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate64_long
    subroutine sidl_allocate64_float(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate64')
      import
      real(c_float), pointer, intent(out) :: x(..)
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate64_float
    subroutine sidl_allocate64_double(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate64')
      import
      real(c_double), pointer, intent(out) :: x(..)
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate64_double
    subroutine sidl_allocate64_fcomplex(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate64')
      import
      complex(c_float_complex), pointer, intent(out) :: x(..)
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate64_fcomplex
    subroutine sidl_allocate64_dcomplex(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate64')
      import
      complex(c_double_complex), pointer, intent(out) :: x(..)
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate64_dcomplex
    subroutine sidl_allocate64_opaque(x, upper, lower, stat) &
        bind(C, name='sidl_fortran_allocate64')
      import
      type(c_ptr), pointer, intent(out) :: x(..)
      integer(c_int64_t), intent(in) :: upper(*)
      integer(c_int64_t), intent(in), optional :: lower(*)
      integer(c_int32_t), intent(out), optional :: stat
    end subroutine sidl_allocate64_opaque
  end interface sidl_allocate

  !> Makes `array`, the d_array of a sidl_array, a new one with the elements of a Fortran array.
  !! Indices begin at 1 if `lower` is absent. A null array makes it null.
  interface sidl_make
    subroutine sidl_make32(array, x, lower) bind(C, name='sidl_fortran_replace')
      import
      type(c_ptr), intent(inout) :: array
      type(*), intent(in) :: x(..)
      integer(c_int32_t), intent(in), optional :: lower(*)
    end subroutine sidl_make32
    subroutine sidl_make64(array, x, lower) bind(C, name='sidl_fortran_replace64')
      import
      type(c_ptr), intent(inout) :: array
      type(*), intent(in) :: x(..)
      integer(c_int64_t), intent(in) :: lower(*)
    end subroutine sidl_make64
  end interface sidl_make

  !> As sidl_make, for strings, which sidl_make would treat as characters if their length is 1.
  interface sidl_make_text
    subroutine sidl_make_text32(array, x, lower) bind(C, name='sidl_fortran_replace_strings')
      import
      type(c_ptr), intent(inout) :: array
      character(kind=c_char, len=*), intent(in) :: x(..)
      integer(c_int32_t), intent(in), optional :: lower(*)
    end subroutine sidl_make_text32
    subroutine sidl_make_text64(array, x, lower) bind(C, name='sidl_fortran_replace_strings64')
      import
      type(c_ptr), intent(inout) :: array
      character(kind=c_char, len=*), intent(in) :: x(..)
      integer(c_int64_t), intent(in) :: lower(*)
    end subroutine sidl_make_text64
  end interface sidl_make_text

  !> As sidl_make, with objects: `x` is the component d_ior of handles.
  interface sidl_make_handles
    subroutine sidl_make_handles32(array, x, lower) bind(C, name='sidl_fortran_replace_objects')
      import
      type(c_ptr), intent(inout) :: array
      type(c_ptr), intent(in) :: x(..)
      integer(c_int32_t), intent(in), optional :: lower(*)
    end subroutine sidl_make_handles32
    subroutine sidl_make_handles64(array, x, lower) bind(C, name='sidl_fortran_replace_objects64')
      import
      type(c_ptr), intent(inout) :: array
      type(c_ptr), intent(in) :: x(..)
      integer(c_int64_t), intent(in) :: lower(*)
    end subroutine sidl_make_handles64
  end interface sidl_make_handles

contains

  ! A default logical is not interoperable: see sidl_fortran_arrays.

  recursive subroutine sidl_allocate_logical(x, upper, lower, stat)
    logical, pointer, intent(out) :: x(..)
    integer(c_int32_t), intent(in) :: upper(*)
    integer(c_int32_t), intent(in), optional :: lower(*)
    integer(c_int32_t), intent(out), optional :: stat
    interface
      subroutine c_allocate(x, upper, lower, stat) bind(C, name='sidl_fortran_allocate')
        import
        logical, pointer, intent(out) :: x(..)
        integer(c_int32_t), intent(in) :: upper(*)
        integer(c_int32_t), intent(in), optional :: lower(*)
        integer(c_int32_t), intent(out), optional :: stat
      end subroutine c_allocate
    end interface
    call c_allocate(x, upper, lower, stat)
  end subroutine sidl_allocate_logical

  recursive subroutine sidl_allocate64_logical(x, upper, lower, stat)
    logical, pointer, intent(out) :: x(..)
    integer(c_int64_t), intent(in) :: upper(*)
    integer(c_int64_t), intent(in), optional :: lower(*)
    integer(c_int32_t), intent(out), optional :: stat
    interface
      subroutine c_allocate64(x, upper, lower, stat) bind(C, name='sidl_fortran_allocate64')
        import
        logical, pointer, intent(out) :: x(..)
        integer(c_int64_t), intent(in) :: upper(*)
        integer(c_int64_t), intent(in), optional :: lower(*)
        integer(c_int32_t), intent(out), optional :: stat
      end subroutine c_allocate64
    end interface
    call c_allocate64(x, upper, lower, stat)
  end subroutine sidl_allocate64_logical

end module sidl_fortran_making
