! Arrays of Fortran's own that are not there, in every form, given to a class in C++ and to one in
! Fortran that passes them on, here or on a server.
program nulls
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env
  use sidl
  use sidl_rmi
  use nul
  use relays
  use null_raws
  use support
  implicit none
  character(200) :: server
  type(nul_InCxx) :: in_cxx
  type(relays_Relay) :: relay, end
  type(relays_Heir) :: heir
  ! What is none for good. A variable that has been an empty array goes on as one, and so may
  ! what begins on the stack, where gfortran leaves the bounds as they are.
  real(real64), allocatable, save :: none(:)
  real(real64), pointer :: no_pointer(:) => null()
  logical, allocatable, save :: no_flags(:)
  character(kind=c_char), allocatable, save :: no_chars(:)
  complex(real64), pointer :: no_waves(:,:) => null()
  integer(int32), allocatable, save :: no_rows(:,:)
  integer(sidl_enum), allocatable, save :: no_shades(:)
  character(:), allocatable, save :: no_words(:), no_pages(:,:)
  type(nul_Sink), allocatable, save :: no_sinks(:)

  call get_environment_variable('NUL_SERVER', server)
  call begin(in_cxx)
  call begin(relay)
  call begin(end)
  call begin(heir)
  call relay%setNext(in_cxx)
  call test(in_cxx, is_relay=.false.)
  call test(relay, is_relay=.true.)
  call test(heir, is_relay=.false.)
  call raws(in_cxx)
  call relay%setNext(end)
  call test(end, is_relay=.false.)
  call test(relay, is_relay=.true.)
  call making()
  call in_cxx%deleteRef()
  call relay%deleteRef()
  call end%deleteRef()
  call heir%deleteRef()
  call finish()

contains

  subroutine begin(object)
    class(sidl_BaseInterface), intent(inout) :: object
    if (server == '') then
      call object%create()
    else
      call object%create_remote(server)
    end if
  end subroutine begin

  recursive subroutine test(object, is_relay)
    class(sidl_BaseInterface), intent(in) :: object
    logical, intent(in) :: is_relay
    type(nul_Sink) :: sink
    integer :: round
    sink = object
    do round = 1, 2
      call numbers(sink)
      call others(sink)
      call strings(sink)
      call objects(sink)
      call changes(sink, is_relay)
      call halves(sink)
    end do
  end subroutine test

  recursive subroutine numbers(sink)
    type(nul_Sink), intent(in) :: sink
    real(real64), allocatable :: x(:), o(:)
    real(real64), pointer :: q(:)
    type(sidl_array) :: a, b, c
    allocate (x(2), source=0d0)
    call check(sink%doubles(none, o, x) == 3 .and. .not. allocated(o), 'allocatable')
    call check(sink%doubles(x, o, no_pointer) == 300, 'an inout pointer')
    call check(size(o) == 2, 'an inout pointer')
    call check(sink%doubles(none, o, none) == 0 .and. .not. allocated(o), 'both')
    call check(sink%doubles([real(real64) ::], o, x(2:1)) == 101, 'no elements')
    call check(allocated(o), 'no elements are not none')
    call check(sink%doubles(no_pointer, q, no_pointer) == 0 .and. .not. associated(q), 'pointers')
    call check(.not. associated(no_pointer), 'stays as it is')
    call check(sink%doubles(q, o, x) == 3, 'a null that came back')
    call check(sink%doubles(a, b, c) == 0 .and. b%is_null() .and. c%is_null(), 'SIDL arrays')
    call sink%same(none, q)
    call check(.not. associated(q), 'a result, as a pointer')
    call sink%same([real(real64) ::], q)
    call check(associated(q), 'an empty one')
    call sink%same(none, q)
    call check(sink%doubles(q, o, x) == 3, 'null behind an empty one')
    call sink%same(none, o)
    call check(.not. allocated(o), 'a result, as an allocatable')
    call sink%note(none)
    call check(sink%noted() == 0, 'one-way')
  end subroutine numbers

  recursive subroutine others(sink)
    type(nul_Sink), intent(in) :: sink
    logical, allocatable :: flags(:)
    character(kind=c_char), allocatable :: chars(:), more(:)
    complex(real64), pointer :: waves(:,:)
    integer(int32), allocatable :: rows(:,:)
    integer(sidl_enum), allocatable :: shades(:)
    call check(sink%bools(no_flags, flags, no_flags) == 0, 'logicals')
    call check(sink%bools([logical ::], flags, no_flags) == 100, 'no logicals')
    call check(sink%chars(no_chars, chars, no_chars) == 0, 'characters')
    call check(.not. allocated(chars), 'no characters')
    allocate (more(1), source='a')
    call check(sink%chars(no_chars, chars, more) == 2, 'one character')
    call check(size(more) == 1, 'one character')
    call check(sink%waves(no_waves, waves, no_waves) == 0, 'complex numbers')
    call check(.not. associated(waves), 'no complex numbers')
    call check(sink%rows(no_rows, rows, no_rows) == 0 .and. .not. allocated(rows), 'rows')
    call check(sink%rows(reshape([integer ::], [0, 3]), rows, no_rows) == 100, 'no rows')
    call check(size(rows, 2) == 3, 'of three columns')
    call check(sink%shades(no_shades, shades, no_shades) == 0, 'enums')
  end subroutine others

  recursive subroutine strings(sink)
    type(nul_Sink), intent(in) :: sink
    character(:), allocatable :: back(:), io(:), pages(:,:), more(:,:)
    call check(sink%words(no_words, back, io) == 0 .and. .not. allocated(back), 'strings')
    call check(.not. allocated(io), 'inout strings')
    io = ['ab', 'c ']
    call check(sink%words(no_words, back, io) == 3, 'strings, some of them')
    call check(size(io) == 2, 'strings, some of them')
    call check(sink%words(io(2:1), back, no_words) == 100 .and. allocated(back), 'no strings')
    call check(sink%words([character(2) ::], back, no_words) == 100, 'a constant without strings')
    call check(sink%pages(no_pages, pages, more) == 0 .and. .not. allocated(pages), 'pages')
    call sink%sameWords(no_words, back)
    call check(.not. allocated(back), 'a result of strings')
  end subroutine strings

  recursive subroutine objects(sink)
    type(nul_Sink), intent(in) :: sink
    type(nul_Sink), allocatable :: back(:), io(:), one(:)
    call check(sink%sinks(no_sinks, back, io) == 0 .and. .not. allocated(back), 'objects')
    allocate (one(1))
    one(1) = sink
    call check(sink%sinks(no_sinks, back, one) == 2, 'one object')
    call check(size(one) == 1, 'one object')
    call check(sink%sinks(one(1:0), back, io) == 100 .and. allocated(back), 'no objects')
    call sink%sameSinks(no_sinks, back)
    call check(.not. allocated(back), 'a result of objects')
    call one%deleteRef()
  end subroutine objects

  recursive subroutine changes(sink, is_relay)
    type(nul_Sink), intent(in) :: sink
    logical, intent(in) :: is_relay
    real(real64), allocatable :: x(:)
    type(sidl_array) :: a
    type(sidl_BaseException) :: ex
    call sink%turn(none, ex)
    call check(ex%getNote() == 'io was null, and has come back as an array: an inout array of&
        & Fortran''s stays what it is, a type(sidl_array) can change', 'what comes for null')
    allocate (x(2), source=1d0)
    call sink%turn(x, ex)
    call check(ex%getNote() == 'io has come back as null: an inout array of Fortran''s stays what&
        & it is, a type(sidl_array) can change', 'null for what was there')
    call check(all(x == 1), 'left as it was')
    call sink%turn(a, ex)
    call check(ex%not_null() .eqv. is_relay, 'a relay has no SIDL array')
    if (is_relay) return
    call check(a%rank() == 1, 'a SIDL array becomes one')
    call sink%turn(a)
    call check(a%is_null(), 'and none again')
  end subroutine changes

  recursive subroutine halves(sink)
    type(nul_Sink), intent(in) :: sink
    type(sidl_rmi_Ticket) :: ticket
    real(real64), allocatable :: o(:)
    logical, allocatable :: flags(:)
    character(:), allocatable :: words(:), io_words(:)
    type(nul_Sink), allocatable :: sinks(:), io_sinks(:)
    call sink%bools_send(no_flags, no_flags, ticket)
    call check(sink%bools_recv(ticket, flags, no_flags) == 0, 'halves')
    call check(.not. allocated(flags), 'what came back')
    call sink%doubles_send([real(real64) ::], none, ticket)
    call check(sink%doubles_recv(ticket, o, none) == 100, 'halves with no elements')
    call check(allocated(o), 'what came back')
    call sink%words_send(no_words, ['a', 'b'], ticket)
    call check(sink%words_recv(ticket, words, io_words) == 3, 'halves with strings')
    call check(.not. allocated(words), 'what came back')
    call check(size(io_words) == 2, 'what came back')
    call sink%sinks_send(no_sinks, no_sinks, ticket)
    call check(sink%sinks_recv(ticket, sinks, io_sinks) == 0, 'halves with objects')
    call check(.not. allocated(sinks) .and. .not. allocated(io_sinks), 'what came back')
  end subroutine halves

  ! Arrays that users make.
  subroutine making()
    type(sidl_array) :: a
    call sidl_make(a%d_array, [1d0])
    call sidl_make(a%d_array, none)
    call check(a%is_null(), 'made of none')
    call sidl_make(a%d_array, [real(real64) ::])
    call check(a%not_null() .and. a%upper(1) == -1, 'made of nothing')
    call sidl_make_text(a%d_array, no_words)
    call check(a%is_null(), 'made of no strings')
    call sidl_make(a%d_array, [1d0])
    call sidl_make_handles(a%d_array, no_sinks%d_ior)
    call check(a%is_null(), 'made of no handles')
  end subroutine making

end program nulls
