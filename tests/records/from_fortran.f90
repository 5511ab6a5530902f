! Arrays of structs from Fortran: calls of every implementation, in this process or in that of a
! server (REC_SERVER).
module from_fortran_checks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use sidl
  use sidl_rmi
  use rec
  use support
  implicit none
  logical :: is_far = .false.
contains

  subroutine make(name, store)
    character(*), intent(in) :: name
    type(rec_Store), intent(inout) :: store
    type(rec_InC) :: c
    type(rec_InCxx) :: cxx
    type(rec_InFortran) :: fortran
    character(200) :: url
    integer :: length
    call get_environment_variable('REC_SERVER', url, length)
    is_far = length > 0
    select case (name)
    case ('C')
      if (is_far) call c%create_remote(trim(url))
      if (.not. is_far) call c%create()
      store = c
    case ('C++')
      if (is_far) call cxx%create_remote(trim(url))
      if (.not. is_far) call cxx%create()
      store = cxx
    case default
      if (is_far) call fortran%create_remote(trim(url))
      if (.not. is_far) call fortran%create()
      store = fortran
    end select
  end subroutine make

  elemental function particle(i) result(made)
    integer, intent(in) :: i
    type(rec_Particle) :: made
    made%x = 0.5_real64 * i
    made%y = -1
    made%z = 1e300_real64
    made%id = i
    made%charge = -7
    made%alive = modulo(i, 2) == 1
    made%tag = achar(97 + i)
  end function particle

  elemental function same(a, b)
    type(rec_Particle), intent(in) :: a, b
    logical :: same
    same = abs(a%x - b%x) + abs(a%y - b%y) + abs(a%z - b%z) <= 0 .and. a%id == b%id .and. &
           a%charge == b%charge .and. (a%alive .eqv. b%alive) .and. a%tag == b%tag
  end function same

  elemental function same_plain(a, b) result(is)
    type(rec_Plain), intent(in) :: a, b
    logical :: is
    is = a%c == b%c .and. abs(a%z - b%z) <= 0 .and. same(a%at, b%at) .and. &
         abs(a%w - b%w) <= 0 .and. a%color == b%color .and. abs(a%f - b%f) <= 0 .and. &
         all(abs(a%v - b%v) <= 0) .and. all(abs(a%m - b%m) <= 0)
  end function same_plain

  ! Each owns other things, and some nothing.
  subroutine make_record(i, made)
    integer, intent(in) :: i
    type(rec_Record), intent(inout) :: made
    type(rec_Item) :: item
    integer :: k
    made%n = i
    made%name = 'name '//achar(48 + i)
    made%a = i
    made%z = (0.5_real64, 1)
    made%color = rec_Color_green
    made%at = particle(i)
    allocate (made%raw(i))
    made%raw = [(10._real64 * k, k = 1, i)]
    made%ids = [i, -i]
    if (modulo(i, 2) == 0) return
    call sidl_make(made%values%d_array, [(real(k, real64), k = 1, i)], [0])
    call sidl_make_structs(made%parts%d_array, particle([(k, k = 1, i)]), [0])
    call item%create()
    call item%rename('item')
    made%companion = item
  end subroutine make_record

  subroutine check_record(i, record, what)
    integer, intent(in) :: i
    type(rec_Record), intent(in) :: record
    character(*), intent(in) :: what
    type(rec_Record) :: wanted
    type(rec_Particle), pointer :: parts(:)
    type(rec_Particle) :: part
    real(real64), pointer :: values(:)
    nullify (parts, values)  ! descriptors are looked at, of pointers that come back, too
    call make_record(i, wanted)
    call check(record%n == i .and. allocated(record%name), what//': n')
    if (allocated(record%name)) call check(record%name == wanted%name, what//': name')
    call check(same(record%at, wanted%at), what//': at')
    call check(all(record%ids == wanted%ids), what//': ids')
    call check(allocated(record%raw), what//': raw')
    if (allocated(record%raw)) then
      call check(size(record%raw) == i, what//': size of raw')
      call check(all(abs(record%raw - wanted%raw) <= 0), what//': raw elements')
    end if
    call check(record%companion%is_null() .neqv. modulo(i, 2) == 1, what//': companion')
    if (modulo(i, 2) == 0) return
    call check(record%companion%name() == 'item', what//': name of companion')
    call sidl_view_array(values, record%values%d_array)
    call check(size(values) == i, what//': values')
    call sidl_view_array(parts, record%parts%d_array)
    call check(size(parts) == i .and. lbound(parts, 1) == 0, what//': parts')
    call check(same(parts(i - 1), particle(i)), what//': part')
    call sidl_get(record%parts%d_array, [i - 1], part)
    call check(same(part, particle(i)), what//': element')
  end subroutine check_record

  ! ---- structs that own nothing -------------------------------------------------------------------

  subroutine plain_in_every_mode(store)
    type(rec_Store), intent(in) :: store
    type(rec_Particle), target :: a(6), both(4), back(3)
    type(rec_Particle), allocatable :: out(:), given(:)
    type(rec_Particle), pointer :: seen(:), shown(:)
    integer :: i
    a = particle([(i, i = 0, 5)])
    both = particle([(i, i = 10, 13)])
    call store%rotate(a, out, both(::2), given)
    call check(all(same(out, a)) .and. lbound(out, 1) == 0, 'out')
    call check(all(same(given, particle([10, 12]))), 'result')
    call check(both(3)%id == 77 .and. both(1)%id == 0 .and. both(2)%id == 11, 'inout')
    call store%rotate(a(6:1:-1), seen, both(1:2), shown)
    call check(all(same(seen, a(6:1:-1))), 'out as a pointer')
    call check(shown(1)%id == 11 .or. shown(0)%id == 0, 'result as a pointer')
    call sidl_free(seen)
    call sidl_free(shown)
    call check(.not. associated(seen), 'freed')
    call store%shift(a(2:6:2))
    call check(all(abs(a%x - [0., 1.5, 1., 2.5, 2., 3.5]) <= 0), 'in place')
    back = particle([(i, i = 0, 2)])
    call check(abs(store%sum(back) - 4.5) <= 0, 'sum')
    if (.not. is_far) call check(store%address(back) == transfer(c_loc(back), 0_int64), 'no copy')
    call store%tell(back(1:2))
    call check(abs(store%told() - 2.5) <= 0, 'told')
  end subroutine plain_in_every_mode

  subroutine structs_in_structs(store)
    type(rec_Store), intent(in) :: store
    type(rec_Plain) :: a(3), both(2)
    type(rec_Plain), allocatable :: out(:), given(:)
    a%c = ['x', 'y', 'z']
    a%z = [(1, 2), (3, 4), (5, 6)]
    a%at = particle([7, 8, 9])
    a%color = rec_Color_green
    both = a(2:)
    call store%rotatePlain(a(3:1:-2), out, both, given)
    call check(all(same_plain(out, a([3, 1]))), 'nested')
    call check(all(same_plain(given, a(2:))), 'nested result')
  end subroutine structs_in_structs

  subroutine large_structs(store)
    type(rec_Store), intent(in) :: store
    type(rec_Page) :: a, out, both, given
    integer :: i
    a%x = [(i, i = 1, 4096)]
    a%n = reshape([(-i, i = 1, 4096)], [64, 64])
    both%x = a%x + 1
    both%n = a%n + 1
    call store%rotatePages(a, out, both, given)
    call check(all(abs(out%x - a%x) <= 0) .and. all(out%n == a%n), 'large')
    call check(all(abs(given%x - a%x - 1) <= 0) .and. all(given%n == a%n + 1), 'large result')
    call check(all(abs(both%x) <= 0) .and. all(both%n == 0), 'large zeros')
  end subroutine large_structs

  subroutine ranks(store)
    type(rec_Store), intent(in) :: store
    type(rec_Particle), target :: a(2, 3, 1, 1, 1, 2, 4), flat(48), table(4, 6)
    type(rec_Particle), allocatable :: given(:,:,:,:,:,:,:), rows(:,:)
    type(rec_Particle), pointer :: seen(:,:,:,:,:,:,:), columns(:,:)
    type(sidl_array) :: array, by_rows, part
    type(sidl_BaseException) :: ex
    type(rec_Particle) :: one
    integer :: i
    flat = particle([(modulo(i, 20), i = 1, 48)])
    a = reshape(flat, shape(a))
    call store%ranks(a, given)
    call check(all(same(given, a)) .and. lbound(given, 7) == 0, 'rank 7')
    call store%ranks(a(:, 3:1:-1, :, :, :, :, ::3), seen)
    call check(all(same(seen, a(:, 3:1:-1, :, :, :, :, ::3))), 'a section of rank 7')
    call sidl_free(seen)
    table = reshape(flat(:24), [4, 6])
    call store%rows(table(2:3, ::2), rows)
    call check(all(same(rows, table(2:3, ::2))), 'rows')
    call store%columns(transpose_of(table), columns)
    call check(columns(5, 3)%id == table(4, 6)%id, 'columns')
    call sidl_free(columns)
    call sidl_make_structs(array%d_array, table)
    call store%rows(array, by_rows)
    call check(by_rows%is_row_major(), 'row-major')
    call check(by_rows%kind() == sidl_struct_array, 'kind')
    call check(by_rows%rank() == 2, 'rank')
    call sidl_get(by_rows%d_array, [1, 2], one)
    call check(same(one, table(1, 2)), 'an element of rows')
    call part%slice(by_rows, counts=[0, 6], first=[4, 1])
    call sidl_get(part%d_array, [part%lower(1) + 5], one)
    call check(same(one, table(4, 6)), 'an element of a part')
    call by_rows%create(sidl_struct_array, [1], exception=ex)
    call check(ex%not_null(), 'structs of no type')
  end subroutine ranks

  function transpose_of(table) result(made)
    type(rec_Particle), intent(in) :: table(:,:)
    type(rec_Particle) :: made(size(table, 2), size(table, 1))
    integer :: i, j
    do i = 1, size(table, 1)
      do j = 1, size(table, 2)
        made(j, i) = table(i, j)
      end do
    end do
  end function transpose_of

  subroutine none_and_empty(store)
    type(rec_Store), intent(in) :: store
    type(rec_Particle), allocatable :: out(:), given(:), none(:)
    type(rec_Particle), pointer :: seen(:), shown(:)
    type(rec_Particle) :: both(2)
    type(rec_Record), allocatable :: records(:), out_records(:), both_records(:), result_records(:)
    type(sidl_array) :: nothing, x, y, z
    type(sidl_BaseException) :: ex
    both = particle([1, 2])
    allocate (none(0))
    call store%rotate(none, out, both, given)
    call check(allocated(out), 'empty')
    if (allocated(out)) call check(size(out) == 0, 'empty, too')
    call store%rotate(none, seen, both, shown)
    call check(associated(seen) .or. size(seen) == 0, 'an empty pointer')
    call sidl_free(seen)
    call sidl_free(shown)
    call store%rotate(nothing, x, y, z)
    call check(x%is_null() .and. z%is_null() .and. y%not_null(), 'null')
    allocate (records(0))
    call store%rotateRecords(records, out_records, both_records, result_records)
    call check(allocated(out_records) .and. .not. allocated(result_records), 'null records')
    call check(size(both_records) == 2, 'new records')
    call sidl_make(x%d_array, [1d0])
    call store%rotate(x, y, y, z, ex)
    call check(ex%not_null(), 'an array of another type')
    if (ex%not_null()) then
      call check(ex%getNote() == 'a is an array<double>, and has to be an array<rec.Particle,1>', &
                 ex%getNote())
    end if
    call store%rotate(none, out, none, given, ex)
    call check(ex%not_null(), 'another shape')
  end subroutine none_and_empty

  ! ---- structs that own something -----------------------------------------------------------------

  subroutine owners_in_every_mode(store)
    type(rec_Store), intent(in) :: store
    type(rec_Record), allocatable :: a(:), out(:), both(:), given(:), table(:,:), back(:,:)
    type(rec_Bag), allocatable :: bags(:), out_bags(:), both_bags(:), given_bags(:)
    type(rec_Store) :: other
    type(sidl_array) :: array
    type(rec_Record) :: one
    type(sidl_BaseException) :: ex
    integer :: i
    allocate (a(5), both(-2:0), table(2, 3))
    do i = 1, 5
      call make_record(i, a(i))
    end do
    do i = 1, 3
      call make_record(i + 2, both(i - 3))
    end do
    call store%rotateRecords(a, out, both, given)
    call check(lbound(out, 1) == 0 .and. size(out) == 5, 'bounds of records')
    do i = 1, 5
      call check_record(i, out(i - 1), 'record')
    end do
    call check(lbound(given, 1) == -2, 'bounds of the result')
    do i = 1, 3
      call check_record(i + 2, given(i - 3), 'given record')
    end do
    call check(size(both) == 2, 'new records')
    call store%rotateRecords(a(5:1:-2), out, both, given)
    call check(size(out) == 3 .and. size(given) == 2, 'a section')
    call check_record(5, out(0), 'first of the section')
    call check_record(1, out(2), 'last of the section')
    do i = 1, 3
      call make_record(2 * i - 1, table(2, i))
      call make_record(2 * i, table(1, i))
    end do
    call store%tables(table(2:1:-1, :), back)
    call check_record(2, back(1, 0), 'table')
    call check_record(5, back(0, 2), 'table')
    call make('C++', other)
    call store%relay(other, a(1:2), given)
    call check_record(2, given(1), 'relayed')
    allocate (bags(2))
    call sidl_make_text(bags(2)%texts%d_array, ['text'])
    call store%rotateBags(bags, out_bags, both_bags, given_bags)
    call check(out_bags(0)%texts%is_null() .and. out_bags(1)%texts%not_null(), 'bags')
    call sidl_make_structs(array%d_array, a(2:3))
    call sidl_get(array%d_array, [1], one)
    call check_record(2, one, 'an element')
    call sidl_set(array%d_array, [2_int64], a(5))
    call sidl_get(array%d_array, [2_int64], one)
    call check_record(5, one, 'a set element')
    call sidl_get(array%d_array, [7], one, ex)
    call check(ex%not_null(), 'no such element')
    call check(ex%getNote() == 'index 7 of dimension 1 is not within 1 to 2', 'which')
  end subroutine owners_in_every_mode

  subroutine of_the_struct_itself(store)
    type(rec_Store), intent(in) :: store
    type(rec_Tree) :: leaves(2), a(1), root, out, leaf
    type(rec_Tree), allocatable :: given(:)
    leaves(2)%name = 'leaf'
    a(1)%name = 'branch'
    call sidl_make_structs(a(1)%branches%d_array, leaves)
    call sidl_make_structs(root%branches%d_array, a)
    call store%forest(a, a(1), out, root, given)
    call check(out%name == 'branch' .and. root%name == 'branch', 'trees')
    call sidl_get(root%branches%d_array, [2], leaf)
    call check(leaf%name == 'leaf', 'a leaf of a branch')
    call sidl_get(given(0)%branches%d_array, [2], leaf)
    call check(leaf%name == 'leaf', 'a leaf in an array')
  end subroutine of_the_struct_itself

  subroutine of_each_other(store)
    type(rec_Store), intent(in) :: store
    type(rec_Room) :: rooms(1), behind, io
    type(rec_Door) :: doors(2), out
    type(rec_Door), allocatable :: given(:)
    rooms(1)%name = 'behind'
    call sidl_make_structs(doors(1)%rooms%d_array, rooms)
    doors(2)%number = 7
    call sidl_make_structs(io%doors%d_array, doors)
    call store%house(doors, doors(2), out, io, given)
    call check(out%number == 7 .and. io%name == 'behind', 'doors')
    call check(.not. out%key%opens%not_null(), 'a key in a door')
    call sidl_get(given(0)%rooms%d_array, [1], behind)
    call check(behind%name == 'behind', 'a room in an array')
  end subroutine of_each_other

  subroutine by_value(store)
    type(rec_Store), intent(in) :: store
    type(rec_Crate) :: crate, back
    type(rec_Record), allocatable :: records(:), given(:)
    type(rec_Particle), allocatable :: particles(:)
    integer :: i
    allocate (records(2))
    call make_record(3, records(1))
    call make_record(4, records(2))
    call crate%create()
    call crate%put(particle([(i, i = 0, 4)]), records)
    call store%unchanged(crate, back)
    call back%particles(particles)
    call back%records(given)
    call check(all(same(particles, particle([(i, i = 0, 4)]))), 'particles by value')
    call check_record(3, given(lbound(given, 1)), 'record by value')
    call check_record(4, given(ubound(given, 1)), 'record by value')
  end subroutine by_value

  subroutine halves(store)
    type(rec_Store), intent(in) :: store
    type(rec_Particle) :: a(4)
    type(rec_Particle), allocatable :: given(:)
    type(rec_Record), allocatable :: both(:)
    type(sidl_rmi_Ticket) :: ticket
    integer :: i
    a = particle([(i, i = 0, 3)])
    allocate (both(2))
    call make_record(1, both(1))
    call make_record(2, both(2))
    call store%later_send(a(::3), both, ticket)
    call store%later_recv(ticket, both, given)
    call check(all(same(given, a(::3))), 'later')
    call check(both(0)%name == 'later', 'what has become of it')
  end subroutine halves
end module from_fortran_checks

program from_fortran
  use from_fortran_checks
  implicit none
  character(7) :: classes(3) = ['C      ', 'C++    ', 'Fortran']
  integer :: i
  do i = 1, size(classes)
    block
      type(rec_Store) :: store
      call make(trim(classes(i)), store)
      call plain_in_every_mode(store)
      call structs_in_structs(store)
      call large_structs(store)
      call ranks(store)
      call none_and_empty(store)
      call owners_in_every_mode(store)
      call of_the_struct_itself(store)
      call of_each_other(store)
      call by_value(store)
      call halves(store)
      call store%deleteRef()
    end block
  end do
  call finish()
end program from_fortran
