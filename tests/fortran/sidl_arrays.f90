! Arrays as such: type(sidl_array) where methods have arrays, and what users make and take apart.
program sidl_arrays
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use sidl
  use sidl_rmi
  use ty
  use ty_InC__m
  use ty_InFortran__m
  use support
  implicit none
  character(200) :: server
  type(ty_InC) :: in_c
  type(ty_InFortran) :: in_fortran

  call get_environment_variable('TY_SERVER', server)
  call test(in_c)
  call test(in_fortran)
  call in_c%deleteRef()
  call in_fortran%deleteRef()
  call making()
  call parts()
  call texts()
  call refusals()
  call finish()

contains

  subroutine test(object)
    class(sidl_BaseInterface), intent(inout) :: object
    if (server == '') then
      call object%create()
    else
      call object%create_remote(server)
    end if
    call numbers(object)
    call what_it_is(object)
    call strings_and_enums(object)
    call objects(object)
    call exceptions(object)
    call halves(object)
  end subroutine test

  subroutine numbers(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Orders) :: orders
    type(sidl_array) :: a, o, io, twice
    integer(int32), pointer :: p(:,:), q(:,:)
    real(real64), pointer :: x(:,:)
    type(c_ptr) :: before
    orders = object
    call a%create(sidl_int_array, [3, 4], [2, 2], row_major=.true.)
    call sidl_view_array(p, a%d_array)
    p = reshape([1, 2, 3, 4, 5, 6], [2, 3])
    call sidl_make(io%d_array, p)
    call check(a%is_row_major() .and. .not. io%is_row_major(), 'orders')
    o = a
    call check(orders%rows(a, o, io), 'rows')
    call sidl_view_array(q, o%d_array)
    call check(all(q == p) .and. all(lbound(q) == 2), 'out')
    call sidl_view_array(q, io%d_array)
    call check(all(q == 2 * p) .and. io%is_row_major(), 'an inout one is another')
    call sidl_make(a%d_array, reshape([1d0, 2d0], [1, 2]))
    io = a
    before = io%d_array
    call check(orders%columns(a, twice, io), 'columns')
    call check(c_associated(io%d_array, before) .or. server /= '', 'nothing is copied')
    call sidl_view_array(x, twice%d_array)
    ! In one process all three are one array.
    call check(all(x == merge(reshape([2d0, 3d0], [1, 2]), reshape([1d0, 2d0], [1, 2]), &
                              server == '')), 'columns: out')
  end subroutine numbers

  subroutine what_it_is(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Orders) :: orders
    type(ty_Raws) :: raws
    type(sidl_array) :: a, o, io
    type(sidl_BaseException) :: ex
    type(sidl_CastException) :: failure
    orders = object
    raws = object
    call sidl_make(a%d_array, [1, 2])
    o = a
    io = a
    call check(.not. orders%rows(a, o, io, ex), 'no call')
    failure = ex
    call check(failure%not_null(), 'another rank is refused')
    call check(ex%getNote() == 'a is an array<int>, and has to be an array<int,2>', 'its note')
    call check(o%is_null() .and. io%not_null(), 'what is left')
    call sidl_make(a%d_array, reshape([1, 2], [2, 1]))
    call sidl_make(io%d_array, reshape([1., 2.], [2, 1]))
    call check(.not. orders%rows(a, o, io, ex), 'no call')
    call check(ex%getNote() == 'io is an array<float,2>, and has to be an array<int,2>', 'io')
    call sidl_make(a%d_array, [(1., 2.)])
    call check(raws%kind(a) == 'array', 'an overload')
  end subroutine what_it_is

  subroutine strings_and_enums(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Orders) :: orders
    type(sidl_array) :: words, back, out
    character(:), allocatable :: word
    integer(sidl_enum), pointer :: colors(:,:)
    integer(sidl_enum) :: color
    orders = object
    call sidl_make_text(words%d_array, reshape(['a', 'b', 'c', 'd'], [2, 2]), [5, 6])
    call words%set([6, 6], 'a longer one')
    call orders%strings(words, back)
    call back%get([6, 6], word)
    call check(word == 'a longer one', 'a string')
    call back%get([5, 7], word)
    call check(word == 'c' .and. back%is_row_major(), 'strings')
    color = ty_Color_red
    call sidl_make(words%d_array, reshape([ty_Color_blue, ty_Color_green], [1, 2]))
    call orders%colors(words, out, color, back)
    call sidl_view_array(colors, back%d_array)
    call check(colors(1, 1) == ty_Color_blue .and. out%not_null(), 'enums')
    call check(color == ty_Color_green, 'an enum')
  end subroutine strings_and_enums

  subroutine objects(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Objects) :: all_of
    type(ty_Item) :: item, extra, a(1, 2, 1)
    type(ty_Numbered) :: numbered
    type(ty_Value) :: no_item
    type(sidl_array) :: square, items, column, cube, out, io, result
    all_of = object
    call all_of%items(3, square, items)
    call check(items%kind() == sidl_interface_array .and. square%rank() == 2, 'arrays of objects')
    call items%get([items%upper(1)], item)
    call check(item%number() == 2, 'an item')
    call items%get([items%upper(1)], no_item)
    call check(no_item%is_null(), 'an item is no value')
    call column%slice(square, [3, 0], [square%lower(1), square%upper(2)])
    call check(column%rank() == 1 .and. all_of%total(column) == 3, 'a column')
    call column%set([column%lower(1)], item)
    call square%get([square%lower(1), square%upper(2)], numbered)
    call check(numbered%number() == 2, 'a slice shares the elements')
    call extra%create()
    call extra%setNumber(41)
    call sidl_make_handles(cube%d_array, a%d_ior)
    call cube%set([1, 2, 1], extra)
    call sidl_make_handles(io%d_array, a(1, 1, :)%d_ior)
    call all_of%through(cube, out, io, extra, result)
    call io%get([io%upper(1)], item)
    call check(io%upper(1) - io%lower(1) == 1 .and. item%number() == 42, 'a longer one')
    call result%get([1, 2, 1], item)
    call check(item%number() == 41 .and. out%rank() == 3, 'a cube')
    call column%deleteRef()
    call check(all_of%total(column) == 0, 'null')
  end subroutine objects

  subroutine exceptions(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Orders) :: orders
    type(sidl_array) :: a, o, io
    type(sidl_BaseException) :: ex
    orders = object
    call sidl_make(a%d_array, reshape([1, 2], [2, 1]))
    io = a
    o = a
    call orders%fail(a, o, io, ex)
    call check(ex%getNote() == 'on purpose', 'an exception')
    call check(o%is_null() .and. io%not_null(), 'after an exception')
  end subroutine exceptions

  subroutine halves(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Orders) :: orders
    type(ty_Objects) :: all_of
    type(ty_Item) :: extra
    type(sidl_rmi_Ticket) :: ticket
    type(sidl_array) :: a, o, io, result
    type(sidl_BaseException) :: ex
    integer(int32), pointer :: p(:,:)
    orders = object
    all_of = object
    call sidl_make(a%d_array, [1, 2])
    call orders%rows_send(a, io, ticket, ex)
    call check(ex%not_null() .and. ticket%is_null(), 'another rank is refused in halves')
    call sidl_make(a%d_array, reshape([1, 2, 3, 4, 5, 6], [2, 3]))
    io = a
    call orders%rows_send(a, io, ticket)
    call check(orders%rows_recv(ticket, o, io), 'rows in halves')
    call sidl_view_array(p, io%d_array)
    call check(all(p == reshape([2, 4, 6, 8, 10, 12], [2, 3])), 'inout in halves')
    call sidl_view_array(p, o%d_array)
    call check(p(2, 3) == 6, 'out in halves')
    call extra%create()
    call a%create(sidl_interface_array, [0, 0, 0], [0, 0, 0])
    call io%create(sidl_interface_array, [0])
    call all_of%through_send(a, io, extra, ticket)
    call all_of%through_recv(ticket, o, io, result)
    call check(io%upper(1) - io%lower(1) == 0 .and. result%rank() == 3, 'objects in halves')
  end subroutine halves

  subroutine making()
    type(sidl_array) :: a, b
    real(real64), pointer :: p(:,:)
    call check(a%is_null() .and. .not. a%not_null() .and. a%rank() == 0, 'none')
    call a%create(sidl_double_array, [2, 3])
    call check(a%is_column_major() .and. a%lower(2) == 1 .and. a%upper(2) == 3, 'from 1')
    call sidl_view_array(p, a%d_array)
    p = 7
    b = a
    call a%create(sidl_double_array, [1, 2], [0, 0], row_major=.true.)
    call check(a%is_row_major() .and. a%lower(1) == 0, 'from 0, by rows')
    call sidl_view_array(p, b%d_array)
    call check(all(p == 7), 'another array')
    call a%create(sidl_int_array, [-1], [0])
    call check(a%not_null() .and. a%upper(1) == -1, 'no elements')
  end subroutine making

  subroutine parts()
    type(sidl_array) :: a, part
    integer(int32), pointer :: p(:,:), q(:)
    integer :: i
    call sidl_make(a%d_array, reshape([(i, i = 1, 24)], [4, 6]))
    call part%slice(a, [2, 3], [1, 2], [2, 2])
    call sidl_view_array(p, part%d_array)
    call check(all(p == reshape([5, 7, 13, 15, 21, 23], [2, 3])), 'every second')
    call check(lbound(p, 2) == 2, 'it counts from where it begins')
    call part%slice(a, [0, 6], [3, 1])
    call a%deleteRef()
    call sidl_view_array(q, part%d_array)
    call check(all(q == [3, 7, 11, 15, 19, 23]), 'a row outlives the whole')
  end subroutine parts

  subroutine texts()
    type(sidl_array) :: a
    character(:), allocatable :: text
    call a%create(sidl_string_array, [2])
    call a%get([1], text)
    call check(.not. allocated(text), 'null strings')
    call a%set([1], 'blanks   ')
    call a%get([1], text)
    call check(text == 'blanks' .and. len(text) == 6, 'a string')
    call sidl_make(a%d_array, ['x', 'y'])
    call a%set([1], 'zzz')
    call a%get([1], text)
    call check(a%kind() == sidl_char_array .and. text == 'z', 'characters')
    call a%set([1], '')
    call a%set([2], achar(0))
    call a%get([1], text)
    call check(len(text) == 1 .and. text == ' ', 'of no characters a blank')
    call a%get([2], text)
    call check(len(text) == 1 .and. iachar(text) == 0, 'NUL is a character')
    call a%set([2], char(200))
    call a%get([2], text)
    call check(len(text) == 1 .and. text == char(200), 'characters beyond ASCII')
  end subroutine texts

  subroutine refusals()
    type(sidl_array) :: a, b
    type(ty_Item) :: item
    type(sidl_BaseException) :: ex
    character(:), allocatable :: text
    call a%get([1], text, ex)
    call check(ex%getNote() == 'the array is null', 'null')
    call a%create(sidl_int_array, [2, 2])
    call a%get([1, 1], text, ex)
    call check(ex%getNote() == 'an array<int,2> has no strings', 'strings')
    call a%set([1, 1], item, ex)
    call check(ex%getNote() == 'an array<int,2> has no objects', 'objects')
    call b%slice(a, [1, 3], [1, 1], exception=ex)
    call check(ex%getNote() == 'this part is not within the array', 'too large a part')
    call b%slice(a, [1], [1], exception=ex)
    call check(ex%not_null() .and. b%is_null(), 'a part of another rank')
    call a%create(sidl_interface_array, [2])
    call a%get([3], item, ex)
    call check(ex%getNote() == 'index 3 of dimension 1 is not within 1 to 2', 'too large an index')
    call a%get([1, 1], item, ex)
    call check(ex%not_null(), 'too many indices')
    call a%create(99, [2], exception=ex)
    call check(ex%not_null() .and. a%is_null(), 'no such kind')
    call a%create(sidl_int_array, [1, 1, 1, 1, 1, 1, 1, 1], exception=ex)
    call check(ex%not_null(), 'too many dimensions')
  end subroutine refusals

end program sidl_arrays
