! Small arrays with bounds that do not fit 32 bits, and raw arrays whose lengths do not.
program far_arrays
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use sidl
  use wide_Bounds__m
  use wide_InCxx__m
  use wide_InFortran__m
  use support
  implicit none
  integer(int64), parameter :: far = 5 * 10_int64**9, lowest = -2_int64**62
  character(200) :: server
  type(wide_InCxx) :: in_cxx
  type(wide_InFortran) :: in_fortran

  call get_environment_variable('WIDE_SERVER', server)
  call test(in_cxx)
  call test(in_fortran)
  call in_cxx%deleteRef()
  call in_fortran%deleteRef()
  call making()
  call parts()
  call elements()
  call allocating()
  call finish()

contains

  subroutine test(object)
    class(sidl_BaseInterface), intent(inout) :: object
    if (server == '') then
      call object%create()
    else
      call object%create_remote(server)
    end if
    call natives(object)
    call handles(object)
    call not_numbers(object)
    if (server == '') call raws(object)
  end subroutine test

  subroutine natives(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(wide_Bounds) :: bounds
    real(real64), allocatable :: copied(:)
    real(real64), pointer :: seen(:)
    real(real64) :: mine(3) = [7, 8, 9]
    bounds = object
    call bounds%numbers(far, 3, copied)
    call check(lbound(copied, 1, int64) == far .and. copied(far + 2) == 3, 'a copy')
    call bounds%numbers(-far, 3, seen)
    call check(lbound(seen, 1, int64) == -far .and. seen(2 - far) == 3, 'a pointer')
    call sidl_free(seen)
    call bounds%move(mine, far)
    call check(all(mine == [7, 8, 9]), 'no bounds of its own')
  end subroutine natives

  subroutine handles(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(wide_Bounds) :: bounds
    type(sidl_array) :: a
    real(real64), pointer :: p(:,:), q(:)
    real(real64) :: sum
    bounds = object
    call a%create(sidl_double_array, [far + 1, 4_int64], [far, 3_int64], row_major=.true.)
    call sidl_view_array(p, a%d_array)
    call check(lbound(p, 1, int64) == far .and. ubound(p, 2, int64) == 4, 'bounds of a pointer')
    p = reshape([1, 2, 3, 4], [2, 2])
    call check(bounds%lowest(a, sum) == far .and. sum == 5, 'what a callee sees')
    call sidl_make(a%d_array, [1d0, 2d0], [far])
    call bounds%move(a, -far)
    call check(a%lower64(1) == -far .and. a%upper64(1) == 1 - far, 'moved')
    call sidl_view_array(q, a%d_array)
    call check(all(q == [1, 2]), 'with its elements')
  end subroutine handles

  subroutine not_numbers(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(wide_Bounds) :: bounds
    type(wide_Bounds), allocatable :: selves(:)
    type(sidl_array) :: a
    character(:), allocatable :: words(:)
    character(kind=c_char), allocatable :: letters(:)
    bounds = object
    call bounds%words(far, words)
    call check(lbound(words, 1, int64) == far .and. words(far + 1) == 'second', 'strings')
    call bounds%letters(far, letters)
    call check(lbound(letters, 1, int64) == far .and. letters(far + 1) == 'b', 'characters')
    call bounds%selves(far, selves)
    call check(lbound(selves, 1, int64) == far .and. selves(far + 1)%isSame(bounds), 'objects')
    call bounds%selves(far, a)
    call bounds%deleteRef()
    call a%get([far + 1], bounds)
    call check(bounds%not_null(), 'an object')
    call bounds%words(-far, a)
    call check(a%lower64(1) == -far, 'strings as such')
  end subroutine not_numbers

  ! The elements of x are not there: who knows its length only does not notice.
  subroutine raws(object)
    class(sidl_BaseInterface), intent(in) :: object
    integer(int64), parameter :: many = 2_int64**31 + 5
    type(wide_Bounds) :: bounds
    type(sidl_BaseException) :: ex
    integer(int32), target :: one
    integer(int32), pointer, contiguous :: x(:)
    bounds = object
    call c_f_pointer(c_loc(one), x, [many])
    call check(bounds%longLength(x) == many, 'a long')
    call check(bounds%longLength(x, many) == many, 'a long that is given')
    call check(bounds%intLength(x, ex) == 0, 'no call')
    call check(ex%getNote() == 'wide.Bounds.intLength: n = size(x, 1) is 2147483653, which does not &
               &fit an int', 'an int')
    call check(bounds%half(x) == 2**30 + 2, 'an int that fits, and twice it does not')
    call check(bounds%half(x, 2**30 + 2) == 2**30 + 2, 'it is given')
    call c_f_pointer(c_loc(one), x, [3 * many])
    call check(bounds%third(x) == 10_int64**9 + many, 'a long far from the length')
  end subroutine raws

  subroutine making()
    type(sidl_array) :: a
    type(sidl_BaseException) :: ex
    call a%create(sidl_int_array, [far], [far - 1])
    call check(a%lower64(1) == far - 1 .and. a%upper64(1) == far, 'create')
    call check(a%lower(1) == 0 .and. a%upper(1) == -1, 'in 32 bits there is no such dimension')
    call a%create(sidl_int_array, [2_int64])
    call check(a%lower(1) == 1 .and. a%upper(1) == 2, 'from 1')
    call check(a%lower64(1) == 1 .and. a%upper64(1) == 2, 'from 1, in 64 bits')
    call check(a%lower64(2) == 0 .and. a%upper64(2) == -1, 'no such dimension')
    call a%create(sidl_double_array, [huge(far)], exception=ex)
    call check(ex%not_null() .and. a%is_null(), 'more than there is memory')
    call a%create(sidl_double_array, [1_int64, lowest - 1], [1_int64, lowest], exception=ex)
    call check(ex%getNote() == 'no array can be made: dimension 2 cannot be from &
               &-4611686018427387904 to -4611686018427387905', 'no elements, and no index either')
    call sidl_make_text(a%d_array, ['one', 'two'], [far])
    call check(a%lower64(1) == far .and. a%upper64(1) == far + 1, 'sidl_make_text')
    call sidl_make(a%d_array, reshape([1, 2], [1, 2]), [-far, far])
    call check(a%lower64(1) == -far .and. a%upper64(2) == far + 1, 'sidl_make')
  end subroutine making

  subroutine parts()
    type(sidl_array) :: a, part
    type(sidl_BaseException) :: ex
    integer(int32), pointer :: p(:,:), q(:)
    integer :: i
    call sidl_make(a%d_array, reshape([(i, i = 1, 6)], [2, 3]), [far, -far])
    call part%slice(a, [0_int64, 2_int64], [far + 1, -far], [1_int64, 2_int64])
    call sidl_view_array(q, part%d_array)
    call check(all(q == [2, 6]) .and. lbound(q, 1, int64) == -far, 'every second of a row')
    call part%slice(a, [1_int64, 1_int64], [far, 1 - far])
    call sidl_view_array(p, part%d_array)
    call check(p(far, 1 - far) == 3, 'one of them')
    call part%slice(a, [2_int64, 2_int64], [far, 2 - far], exception=ex)
    call check(ex%getNote() == 'this part is not within the array', 'too large a part')
    call part%slice(a, [1, 1], [1, 1], exception=ex)
    call check(ex%not_null(), 'in 32 bits there is none of it')
  end subroutine parts

  subroutine elements()
    type(sidl_array) :: a, objects
    type(wide_InCxx) :: object, same
    type(sidl_BaseException) :: ex
    character(:), allocatable :: text
    call a%create(sidl_string_array, [far, 1_int64], [far, 0_int64])
    call a%set([far, 1_int64], 'far')
    call a%get([far, 1_int64], text)
    call check(text == 'far', 'a string')
    call a%get([far + 1, 1_int64], text, ex)
    call check(ex%getNote() == 'index 5000000001 of dimension 1 is not within 5000000000 to &
               &5000000000', 'too large an index')
    call a%set([0, 0], 'near', ex)
    call check(ex%not_null(), 'too small an index')
    call object%create()
    call objects%create(sidl_interface_array, [far], [far])
    call objects%set([far], object)
    call objects%get([far], same)
    call check(same%isSame(object), 'an object')
  end subroutine elements

  subroutine allocating()
    real(real64), pointer :: x(:,:)
    logical, pointer :: flags(:)
    integer(int32) :: stat
    call sidl_allocate(x, [far + 1, 2_int64], [far, 1_int64])
    call check(lbound(x, 1, int64) == far .and. size(x) == 4, 'sidl_allocate')
    call sidl_free(x)
    call sidl_allocate(flags, [2_int64], stat=stat)
    call check(stat == 0 .and. lbound(flags, 1) == 1 .and. size(flags) == 2, 'from 1')
    call sidl_free(flags)
    call sidl_allocate(flags, [far], [far + 7])
    call check(associated(flags) .and. size(flags) == 0, 'no elements')
    call sidl_free(flags)
    call sidl_allocate(x, [huge(far), huge(far)], stat=stat)
    call check(stat == 1 .and. .not. associated(x), 'more than there is memory')
    call sidl_allocate(flags, [-huge(far) - 1], [-huge(far) - 1], stat)
    call check(stat == 1, 'no index of an array')
  end subroutine allocating

end program far_arrays
