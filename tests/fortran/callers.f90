! Every type in every mode, called from Fortran: objects in C and in Fortran, here or on a server.
program callers
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
  call finish()

contains

  subroutine test(object)
    class(sidl_BaseInterface), intent(inout) :: object
    if (server == '') then
      call object%create()
    else
      call object%create_remote(server)
      call check(object%is_remote(), 'remote')
    end if
    call arrays(object)
    call strings_and_enums(object)
    call generics(object)
    call objects(object)
    call structs(object)
    if (server == '') call members()
    call raws(object)
    call indices(object)
    call calls(object)
    call halves(object)
    call deadlines(object)
  end subroutine test

  subroutine arrays(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Orders) :: orders
    type(sidl_BaseException) :: ex
    integer(int32) :: a(2, 3), io(2, 3)
    integer(int32), pointer :: p(:,:)
    integer(int32), allocatable :: o(:,:)
    real(real64), target :: x(4, 6), y(2, 3)
    real(real64), allocatable :: z(:,:)
    real(real64), pointer :: seen(:,:)
    integer :: i
    orders = object
    a = reshape([1, 2, 3, 4, 5, 6], [2, 3])
    io = a
    call check(orders%rows(a, o, io), 'rows')
    call check(all(o == a) .and. all(io == 2 * a), 'rows: allocatable')
    call check(orders%rows(a, p, io), 'rows as pointers')
    call check(all(p == a) .and. all(io == 4 * a), 'rows: pointer')
    call sidl_free(p)
    call check(.not. associated(p), 'free nullifies')
    x = reshape([(real(i, real64), i = 1, 24)], [4, 6])
    y = 0
    call check(orders%columns(x(::2, 6:1:-2), z, y), 'columns')
    call check(all(z == x(::2, 6:1:-2)) .and. all(y == 1), 'a section')
    y = 1
    call check(orders%columns(y, seen, x(1:2, 1:3)), 'columns as pointers')
    call check(all(seen == 1) .and. x(2, 3) == 11 .and. x(3, 3) == 11, 'an inout section')
    call sidl_free(seen)
    call orders%fail(a, o, io, ex)
    call check(ex%not_null() .and. .not. allocated(o), 'after an exception')
    call check(ex%getNote() == 'on purpose', 'its note')
  end subroutine arrays

  subroutine strings_and_enums(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Orders) :: orders
    character(5) :: words(2, 2) = reshape(['a    ', 'bcd  ', '     ', 'fghij'], [2, 2])
    character(:), allocatable :: back(:,:)
    integer(sidl_enum), allocatable :: out(:,:), colors(:,:)
    integer(sidl_enum) :: color
    orders = object
    call orders%strings(words, back)
    call check(all(back == words) .and. len(back) == 5, 'strings')
    call check(lbound(back, 1) == 0, 'callees count from 0')
    call orders%strings(reshape([character(3) ::], [0, 2]), back)
    call check(allocated(back), 'no strings are not none')
    call check(size(back) == 0, 'no strings')
    color = ty_Color_red
    call orders%colors(reshape([ty_Color_blue, ty_Color_green], [1, 2]), out, color, colors)
    call check(all(colors == out) .and. colors(0, 1) == ty_Color_green, 'enums')
    call check(color == ty_Color_green, 'an enum')
  end subroutine strings_and_enums

  subroutine generics(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Generics) :: any
    type(sidl_array) :: a, o, io
    complex(real32), pointer :: z(:,:)
    integer(int64), pointer :: longs(:)
    any = object
    call sidl_make(a%d_array, reshape([(1., 2.), (3., 4.)], [2, 1]), [-1, 5])
    call check(any%anyKind(a, o, io) == sidl_fcomplex_array + 200, 'what kind it is')
    call check(o%rank() == 2 .and. o%lower(1) == -1 .and. o%upper(2) == 5, 'bounds are kept')
    call sidl_view_array(z, o%d_array)
    call check(z(0, 5) == (3., 4.) .and. lbound(z, 1) == -1, 'a view')
    call sidl_view_array(longs, io%d_array)
    call check(all(longs == [1, 2, 3]), 'longs')
    call sidl_make(a%d_array, [1d0, 2d0, 3.5d0])
    call check(any%sum(a) == 6.5d0, 'a sum')
    o = a
    call a%deleteRef()
    call check(any%sum(o) == 6.5d0 .and. a%is_null(), 'arrays are counted')
  end subroutine generics

  subroutine objects(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Objects) :: all_of
    type(ty_Item), allocatable :: items(:), cube(:,:,:)
    type(ty_Numbered), allocatable :: square(:,:), io(:)
    type(ty_Item) :: extra, a(1, 2, 1)
    all_of = object
    call all_of%items(3, square, items)
    call check(size(items) == 3 .and. all(shape(square) == 3), 'shapes of objects')
    call check(items(ubound(items, 1))%number() == 2, 'an item')
    call check(all_of%total(square(:, ubound(square, 2))) == 3, 'a section of objects')
    call extra%create()
    call extra%setNumber(41)
    a(1, 2, 1) = extra
    allocate (io(1))
    io(1) = extra
    call all_of%through(a, cube, io, extra, cube)
    call check(size(io) == 2, 'one more')
    call check(io(ubound(io, 1))%number() == 42, 'its number')
    call check(cube(lbound(cube, 1), ubound(cube, 2), lbound(cube, 3))%number() == 41, 'a cube')
  end subroutine objects

  subroutine structs(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Structs) :: all_of
    type(ty_Full) :: a, o, io, result
    type(ty_Mesh) :: mesh
    type(ty_Pair) :: pair
    type(sidl_BaseException) :: ex
    all_of = object
    mesh%n = 2
    mesh%edges = [1d0, 2d0]
    allocate (mesh%cells(2, 4), source=7)
    mesh%label = 'label'
    pair%second = mesh
    call check(all_of%mesh(mesh, pair) == 3, 'a struct of raw arrays')
    call check(all(pair%second%edges == [4d0, 5d0]), 'their memory')
    call check(all(pair%second%cells == -1) .and. all(mesh%cells == 7), 'a copy')
    call check(pair%second%label == 'label' .and. .not. allocated(pair%first%label), 'strings')
    call misfit(all_of, mesh, pair, 4)
    call misfit(all_of, mesh, pair, 1)
    call misfit(all_of, mesh, pair, -1)
    call misfit(all_of, mesh, pair, 1073741826)  ! 2 * n, wrapped around, is 4
    mesh%n = 2
    deallocate (mesh%edges)
    call all_of%grow(mesh, 2, ex)
    call check(ex%not_null() .and. mesh%label == 'label', 'a raw array that is not there')
    call ex%deleteRef()
    if (server /= '') return
    a%flag = .true.
    a%z = (1, 2)
    a%text = 'text'
    a%color = ty_Color_red
    call a%item%create()
    call a%item%setNumber(1)
    call sidl_make(a%matrix%d_array, reshape([5d0], [1, 1]), [0, 0])
    call sidl_make(a%words%d_array, ['word'], [0])
    io = a
    call all_of%every(a, o, io, result)
    call check(o%flag .and. o%z == (1, 2) .and. o%text == 'text', 'numbers')
    call check(result%item%number() == 1 .and. result%numbered%is_null(), 'objects')
    call check(.not. io%flag .and. io%z == (2, 2) .and. io%text == 'text+', 'changed')
    call check(io%item%number() == 100 .and. io%inner%item%number() == 200, 'new ones')
    call check(io%any%upper(1) == 6 .and. io%inner%name == 'inner', 'arrays')
    call all_of%failStruct(a, o, io, result, ex)
    call check(ex%not_null() .and. o%item%is_null(), 'an exception')
    call check(io%text == 'changed', 'what inout has')
  end subroutine structs

  ! A struct whose raw arrays are not as long as it says, by itself and in another one.
  subroutine misfit(all_of, mesh, pair, n)
    type(ty_Structs), intent(in) :: all_of
    type(ty_Mesh), intent(inout) :: mesh
    type(ty_Pair), intent(inout) :: pair
    integer, intent(in) :: n
    type(sidl_BaseException) :: ex
    real(kind(1d0)) :: total
    mesh%n = n
    call all_of%grow(mesh, n, ex)
    call check(ex%not_null(), 'a raw array of another length')
    call check(index(ex%getNote(), 'ty.Mesh.') > 0, 'which one')
    call check(mesh%n == n .and. size(mesh%edges) == 2, 'which stays')
    call ex%deleteRef()
    pair%second%n = n
    total = all_of%mesh(ty_Mesh(), pair, ex)
    call check(ex%not_null(), 'one in another struct')
    call ex%deleteRef()
    pair%second%n = 2
  end subroutine misfit

  ! From one part of a variable to another: not by an assignment that names both (docs/fortran.md).
  ! The pages named what gfortran does to variables of whole types, and no test had a struct with
  ! both arrays and objects on both sides.
  subroutine members()
    type(ty_Item) :: item
    integer :: before
    before = item%alive()
    block
      type(ty_Inner), allocatable :: both(:)
      allocate (both(2))
      call both(1)%item%create()
      both(1)%name = 'first'
      call both(2)%item%create()
      call both(2)%assign(both(1))
      call check(item%alive() == before + 1 .and. both(2)%name == 'first', 'assign')
      call both(1)%item%create()
      associate (from => both(2))
        both(1) = from
      end associate
      call check(item%alive() == before + 1, 'another name')
      call both(1)%assign(both(1))
      call check(item%alive() == before + 1 .and. both(1)%name == 'first', 'itself')
    end block
    call check(item%alive() == before, 'parts of one variable')
  end subroutine members

  subroutine raws(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Raws) :: all_of
    type(sidl_BaseException) :: ex
    integer(int32) :: a(2, 3), count
    real(real32) :: floats(2, 2, 4)
    complex(real64) :: z(3, 3)
    character(:), allocatable :: s
    all_of = object
    call check(all_of%dot([1d0, 2d0], [3d0, 4d0], 2) == 11, 'dot')
    a = 1
    call all_of%fill(a, 2, 3)
    call check(a(2, 1) == 11 .and. a(1, 3) == 8, 'fill')
    z = (0, 1)
    call all_of%scale(z, 2_int64, 2, (0d0, 2d0))
    call check(all(z == (-2, 0)), 'scale')
    floats = 0.5
    call check(all_of%add(floats, 4, count) == 8 .and. count == 16, 'add')
    call check(all_of%halves([1_int64, 2_int64], 5) == 3, 'halves')
    call check(all_of%three([1, 2, 3]) == 123, 'three')
    call check(all_of%kind([(1., 2.)]) == 'array', 'an array')
    call check(all_of%kind([(1., 2.)], 1) == 'raw', 'an overload')
    call all_of%failRaw(a(:, 1), 1, s, ex)
    call check(ex%not_null() .and. s == '', 'an exception')
    count = int(all_of%dot([1d0], [1d0], -1, ex))
    call check(ex%not_null(), 'a negative length')
  end subroutine raws

  ! What the arrays know is left out.
  subroutine indices(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Raws) :: all_of
    type(sidl_BaseException) :: ex
    type(sidl_rmi_Ticket) :: ticket
    integer(int32) :: a(2, 3), count
    integer(int32), target :: wide(4, 3)
    real(real32) :: floats(2, 2, 4)
    complex(real64) :: z(3, 3)
    character(:), allocatable :: s
    all_of = object
    call check(all_of%dot([1d0, 2d0], [3d0, 4d0]) == 11, 'indices: dot')
    call check(all_of%dot([real(real64) ::], [real(real64) ::]) == 0, 'indices: no elements')
    a = 1
    call all_of%fill(a)
    call check(a(2, 1) == 11 .and. a(1, 3) == 8, 'indices: fill')
    wide = 1
    call all_of%fill(wide(::2, :))
    call check(wide(3, 1) == 11 .and. wide(1, 3) == 8 .and. all(wide(2::2, :) == 1), &
        'indices: every other element')
    a = 1
    call all_of%fill_send(a, ticket)
    call all_of%fill_recv(ticket, a)
    call check(a(2, 1) == 11 .and. a(1, 3) == 8, 'indices: halves')
    z = (0, 1)
    call all_of%scale(z, (0d0, 2d0))
    call check(all(z == (-2, 0)), 'indices: computed')
    floats = 0.5
    call check(all_of%add(floats, count) == 8 .and. count == 16, 'indices: the last of three')
    call check(all_of%kindRaw([(1., 2.)]) == 'raw', 'indices: by the long name')
    call all_of%failRaw(a(:, 1), s, ex)
    call check(ex%not_null() .and. s == '', 'indices: an exception')

    count = int(all_of%dot([1d0, 2d0], [3d0], ex))
    call check(count == 0 .and. ex%getNote() == 'ty.Raws.dot: y has 1 elements in dimension 1, ' // &
        'not 2: n = size(x, 1)', 'indices: other lengths')
    call all_of%scale(z(:, :2), (0d0, 2d0), ex)
    call check(ex%getNote() == 'ty.Raws.scale: a has 2 elements in dimension 2, not 1: ' // &
        'n = size(a, 1) - 1, m = (size(a, 2) + 1) / 2', 'indices: a remainder')
    call all_of%scale(z, (0d0, -0.5d0), ex)
    call check(ex%is_null() .and. all(z == (0, 1)), 'indices: and right again')
  end subroutine indices

  subroutine calls(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Calls) :: all_of
    type(ty_Value) :: v, io, result
    character(:), allocatable :: o, text
    integer :: i
    all_of = object
    call v%create()
    call io%create()
    call v%set(4)
    call io%set(1)
    call all_of%twice(v, io, result)
    call check(result%get() == 8 .and. io%get() == 2, 'objects by value')
    call all_of%note(3)
    call all_of%note(4)
    do i = 1, 100000
      if (all_of%noted() == 7) exit
    end do
    call check(all_of%noted() == 7, 'oneway')
    text = 'some   '
    call check(all_of%text('  blanks   ', o, text) == '  blanks', 'blanks at the end go')
    call check(o == '  blanks' .and. len(o) == 8, 'out')
    call check(text == 'some' .and. len(text) == 4, 'inout')
    call check(len(all_of%text('', o, text)) == 0, 'empty')
  end subroutine calls

  subroutine halves(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(ty_Raws) :: raws
    type(ty_Calls) :: calls
    type(ty_Orders) :: orders
    type(sidl_rmi_Ticket) :: ticket, other
    integer(int32) :: a(2, 3), io(2, 3)
    integer(int32), allocatable :: o(:,:)
    character(:), allocatable :: text, out
    raws = object
    calls = object
    orders = object
    a = 1
    io = 3
    call raws%fill_send(a, 2, 3, ticket)
    call orders%rows_send(a, io, other)
    call raws%fill_recv(ticket, a)
    call check(a(2, 1) == 11, 'a raw array in halves')
    call check(orders%rows_recv(other, o, io), 'rows in halves')
    call check(all(o == 1) .and. all(io == 6), 'their arrays')
    text = 'io'
    call calls%text_send('in', text, ticket)
    call check(calls%text_recv(ticket, out, text) == 'in', 'text in halves')
    call check(out == 'in' .and. text == 'io', 'its arguments')
  end subroutine halves

  subroutine deadlines(object)
    class(sidl_BaseInterface), intent(in) :: object
    type(sidl_rmi_Deadline) :: deadline
    type(ty_Calls) :: calls
    calls = object
    call deadline%setForThread(60000_int64)
    call check(deadline%getForThread() == 60000, 'a deadline')
    call check(calls%noted() == 7, 'a call in time')
    call deadline%setForThread(-1_int64)
    if (server == '') return
    call deadline%setForObject(calls, 50000_int64)
    call check(deadline%getForObject(calls) == 50000, 'an object''s deadline')
    call deadline%setForObject(calls, -1_int64)
  end subroutine deadlines

end program callers
