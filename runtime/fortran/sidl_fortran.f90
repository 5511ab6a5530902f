! sidl_fortran: the basis of all generated Fortran: object handles, strings, exceptions.
!
! A handle is the address of an object and owns one reference. Its finaliser drops the reference, if
! the compiler calls it; deleteRef always does so at once. No procedure returns a handle as function
! result, because gfortran 12 never finalises it: handles are returned through arguments, whose old
! value is dropped first.
!
! Procedures are recursive: dropping a reference may destroy an object, which destroys others, and
! implementations may call anything. So local variables are never static, whatever the compiler
! options.
module sidl_fortran
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64, error_unit
  implicit none
  private

  public :: sidl_handle, sidl_throw, sidl_enum
  ! for generated code
  public :: sidl_info, sidl_object, sidl_epv, sidl_fcomplex, sidl_dcomplex
  public :: sidl_settle, sidl_pass, sidl_terminated, sidl_take_string, sidl_copy_string
  public :: sidl_give_string, sidl_words, sidl_bool, sidl_free_string
  public :: sidl_static_epv, sidl_super_epv, sidl_struct_destroy, sidl_struct_copy
  public :: sidl_rmi_send, sidl_rmi_receive, sidl_share, sidl_unshare, sidl_seen
  public :: sidl_no_object, sidl_refuse_raw
  public :: sidl_new_string, sidl_take_member
  public :: sidl_has_hooks, sidl_has_static_hooks

  character(*), parameter :: this_file = 'sidl_fortran.f90'

  !> The kind of enumerators and of variables that hold one.
  integer, parameter :: sidl_enum = int64

  !> The part of an object, or of one of its interfaces, that generated code accesses.
  type, bind(C) :: sidl_object
    type(c_ptr) :: epv
    type(c_ptr) :: object
  end type sidl_object

  !> The functions of an object; generated code knows how many there are.
  type, bind(C) :: sidl_epv
    type(c_funptr) :: slots(0:65535)
  end type sidl_epv

  !> An object as words, one of which is the address of an implementation's data.
  type, bind(C) :: sidl_words
    type(c_ptr) :: words(0:65535)
  end type sidl_words

  !> Complex numbers as C passes them by value.
  type, bind(C) :: sidl_fcomplex
    real(c_float) :: re = 0, im = 0
  end type sidl_fcomplex

  type, bind(C) :: sidl_dcomplex
    real(c_double) :: re = 0, im = 0
  end type sidl_dcomplex

  !> Any SIDL object, or none. Assignment makes both sides the same object.
  type :: sidl_handle
    type(c_ptr) :: d_ior = c_null_ptr
  contains
    !> The type information for libsidl.
    procedure, nopass :: type_info => handle_type_info
    !> Makes this a new object of its class.
    procedure, non_overridable :: create => handle_create
    !> As create, on the server `url`.
    procedure, non_overridable :: create_remote => handle_create_remote
    !> As create, around existing data of the implementation.
    procedure, non_overridable :: wrap => handle_wrap
    !> Attaches to the existing object at `url`.
    procedure, non_overridable :: connect => handle_connect
    !> Casts `other` to this type; a null handle if it is not of it.
    procedure, non_overridable :: cast => handle_cast
    !> Drops the reference; does nothing for null handles.
    procedure, non_overridable :: deleteRef => handle_delete_ref
    !> Adds a reference besides those of handles.
    procedure, non_overridable :: addRef => handle_add_ref
    procedure, non_overridable :: is_null => handle_is_null
    procedure, non_overridable :: not_null => handle_not_null
    procedure, non_overridable :: is_remote => handle_is_remote
    procedure, non_overridable :: is_local => handle_is_local
    !> The object's URL, once it can be reached from other processes.
    procedure, non_overridable :: url => handle_url
    !> Hooks and contracts of the object, and with _static those of the class's static methods.
    procedure, non_overridable :: set_hooks => handle_set_hooks
    procedure, non_overridable :: set_hooks_static => handle_set_hooks_static
    procedure, non_overridable :: set_contracts => handle_set_contracts
    procedure, non_overridable :: set_contracts_static => handle_set_contracts_static
    !> Appends the statistics of contract checks to a file.
    procedure, non_overridable :: dump_stats => handle_dump_stats
    procedure, non_overridable :: dump_stats_static => handle_dump_stats_static
    procedure, non_overridable :: assign => handle_assign
    generic :: assignment(=) => assign
    final :: handle_finalise
  end type sidl_handle

  interface
    function c_create(info, ex) bind(C, name='sidl_create') result(object)
      import :: c_ptr
      type(c_ptr), value :: info
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: object
    end function c_create

    function c_create_remote(info, url, ex) bind(C, name='sidl_create_remote') result(object)
      import :: c_ptr, c_char
      type(c_ptr), value :: info
      character(kind=c_char), intent(in) :: url(*)
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: object
    end function c_create_remote

    function c_wrap(info, data, ex) bind(C, name='sidl_wrap') result(object)
      import :: c_ptr
      type(c_ptr), value :: info, data
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: object
    end function c_wrap

    function c_connect(info, url, ex) bind(C, name='sidl_connect') result(object)
      import :: c_ptr, c_char
      type(c_ptr), value :: info
      character(kind=c_char), intent(in) :: url(*)
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: object
    end function c_connect

    function c_cast(object, info, ex) bind(C, name='sidl_cast') result(seen)
      import :: c_ptr
      type(c_ptr), value :: object, info
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: seen
    end function c_cast

    function c_cast_over(object, info) bind(C, name='sidl_cast_over') result(seen)
      import :: c_ptr
      type(c_ptr), value :: object, info
      type(c_ptr) :: seen
    end function c_cast_over

    !> Casts an object to another type, with a reference; an exception if it is not of it.
    function sidl_seen(object, info, ex) bind(C, name='sidl_fortran_seen') result(seen)
      import :: c_ptr
      type(c_ptr), value :: object, info
      type(c_ptr), intent(inout) :: ex
      type(c_ptr) :: seen
    end function sidl_seen

    subroutine c_no_object(where, ex) bind(C, name='sidl_fortran_no_object')
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: where(*)
      type(c_ptr), intent(inout) :: ex
    end subroutine c_no_object

    !> Sets an exception: a struct's raw array does not have the shape given by its other members.
    subroutine sidl_refuse_raw(what, has, needs, ex) bind(C, name='sidl_fortran_refuse_raw')
      import :: c_ptr, c_char, int64
      character(kind=c_char), intent(in) :: what(*)
      integer(int64), value :: has, needs
      type(c_ptr), intent(inout) :: ex
    end subroutine sidl_refuse_raw

    function c_is_remote(object) bind(C, name='sidl_is_remote') result(answer)
      import :: c_ptr, c_int
      type(c_ptr), value :: object
      integer(c_int) :: answer
    end function c_is_remote

    function c_get_url(object, ex) bind(C, name='sidl_get_url') result(url)
      import :: c_ptr
      type(c_ptr), value :: object
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: url
    end function c_get_url

    !> Whether the hooks of an object, or of the static methods of a class, are switched on.
    function sidl_has_hooks(object) bind(C, name='sidl_fortran_has_hooks') result(answer)
      import :: c_ptr, c_int
      type(c_ptr), value :: object
      integer(c_int) :: answer
    end function sidl_has_hooks

    function sidl_has_static_hooks(info) bind(C, name='sidl_has_static_hooks') result(answer)
      import :: c_ptr, c_int
      type(c_ptr), value :: info
      integer(c_int) :: answer
    end function sidl_has_static_hooks

    subroutine c_set_hooks(object, enable, ex) &
        bind(C, name='sidl_set_hooks')
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: object
      integer(c_int), value :: enable
      type(c_ptr), intent(out) :: ex
    end subroutine c_set_hooks

    subroutine c_set_hooks_static(info, enable, ex) &
        bind(C, name='sidl_set_hooks_static')
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: info
      integer(c_int), value :: enable
      type(c_ptr), intent(out) :: ex
    end subroutine c_set_hooks_static

    subroutine c_set_contracts(object, enable, file, reset, ex) &
        bind(C, name='sidl_set_contracts')
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: object
      integer(c_int), value :: enable, reset
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), intent(out) :: ex
    end subroutine c_set_contracts

    subroutine c_set_contracts_static(info, enable, file, reset, ex) &
        bind(C, name='sidl_set_contracts_static')
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: info
      integer(c_int), value :: enable, reset
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), intent(out) :: ex
    end subroutine c_set_contracts_static

    subroutine c_dump_stats(object, file, prefix, ex) &
        bind(C, name='sidl_dump_stats')
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: object
      character(kind=c_char), intent(in) :: file(*), prefix(*)
      type(c_ptr), intent(out) :: ex
    end subroutine c_dump_stats

    subroutine c_dump_stats_static(info, file, prefix, ex) &
        bind(C, name='sidl_dump_stats_static')
      import :: c_ptr, c_int, c_char
      type(c_ptr), value :: info
      character(kind=c_char), intent(in) :: file(*), prefix(*)
      type(c_ptr), intent(out) :: ex
    end subroutine c_dump_stats_static

    function c_base_interface() bind(C, name='sidl_fortran_base_interface') result(info)
      import :: c_ptr
      type(c_ptr) :: info
    end function c_base_interface

    function c_base_exception() bind(C, name='sidl_fortran_base_exception') result(info)
      import :: c_ptr
      type(c_ptr) :: info
    end function c_base_exception

    subroutine c_update_exception(ex, file, line, where) bind(C, name='sidl_update_exception')
      import :: c_ptr, c_char, c_int32_t
      type(c_ptr), value :: ex
      character(kind=c_char), intent(in) :: file(*), where(*)
      integer(c_int32_t), value :: line
    end subroutine c_update_exception

    subroutine c_report_exception(ex) bind(C, name='sidl_report_exception')
      import :: c_ptr
      type(c_ptr), value :: ex
    end subroutine c_report_exception

    function c_prepare_exception(created, failure, note, file, line, where) &
        bind(C, name='sidl_prepare_exception') result(ex)
      import :: c_ptr, c_char, c_int32_t
      type(c_ptr), value :: created, failure
      character(kind=c_char), intent(in) :: note(*), file(*), where(*)
      integer(c_int32_t), value :: line
      type(c_ptr) :: ex
    end function c_prepare_exception

    !> The static functions of a class.
    function sidl_static_epv(info, ex) bind(C, name='sidl_static_epv') result(epv)
      import :: c_ptr
      type(c_ptr), value :: info
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: epv
    end function sidl_static_epv

    !> The functions of the parent class of an implementation.
    function sidl_super_epv(info, ex) bind(C, name='sidl_super_epv') result(epv)
      import :: c_ptr
      type(c_ptr), value :: info
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: epv
    end function sidl_super_epv

    subroutine sidl_struct_destroy(info, data) bind(C, name='sidl_struct_destroy')
      import :: c_ptr
      type(c_ptr), value :: info
      type(*), intent(inout) :: data
    end subroutine sidl_struct_destroy

    subroutine sidl_struct_copy(info, from, to, ex) bind(C, name='sidl_struct_copy')
      import :: c_ptr
      type(c_ptr), value :: info
      type(*), intent(in) :: from
      type(*), intent(inout) :: to
      type(c_ptr), intent(out) :: ex
    end subroutine sidl_struct_copy

    !> Begins and ends a nonblocking call of the method that `info` has in `slot` (sidl_ior.h); a
    !> static method has slot -1-n.
    function sidl_rmi_send(self, info, slot, args, ex) bind(C, name='sidl_fortran_send') &
        result(ticket)
      import :: c_ptr, c_int
      type(c_ptr), value :: self, info
      integer(c_int), value :: slot
      type(c_ptr), intent(in) :: args(*)
      type(c_ptr), intent(out) :: ex
      type(c_ptr) :: ticket
    end function sidl_rmi_send

    subroutine sidl_rmi_receive(self, info, slot, ticket, args, retval, ex) &
        bind(C, name='sidl_fortran_receive')
      import :: c_ptr, c_int
      type(c_ptr), value :: self, info, ticket, retval
      integer(c_int), value :: slot
      type(c_ptr), intent(in) :: args(*)
      type(c_ptr), intent(out) :: ex
    end subroutine sidl_rmi_receive

    function c_strlen(text) bind(C, name='sidl_String_strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function c_strlen

    subroutine sidl_free_string(text) bind(C, name='sidl_String_free')
      import :: c_ptr
      type(c_ptr), value :: text
    end subroutine sidl_free_string

    function c_string_alloc(size) bind(C, name='sidl_String_alloc') result(text)
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: size
      type(c_ptr) :: text
    end function c_string_alloc

    subroutine reference(self, ex) bind(C)
      import :: c_ptr
      type(c_ptr), value :: self
      type(c_ptr), intent(out) :: ex
    end subroutine reference
  end interface

  abstract interface
    !> The address of each generated type's table in C.
    function sidl_info() bind(C) result(info)
      import :: c_ptr
      type(c_ptr) :: info
    end function sidl_info
  end interface

contains

  ! ---- references -------------------------------------------------------------------------------

  !> Calls function `slot` of an object: 0 adds a reference, 1 drops one.
  recursive subroutine count(object, slot)
    type(c_ptr), intent(in) :: object
    integer, intent(in) :: slot
    type(sidl_object), pointer :: seen
    type(sidl_epv), pointer :: epv
    procedure(reference), pointer :: method
    type(c_ptr) :: ex
    if (.not. c_associated(object)) return
    call c_f_pointer(object, seen)
    call c_f_pointer(seen%epv, epv)
    call c_f_procpointer(epv%slots(slot), method)
    call method(seen%object, ex)
    if (c_associated(ex)) call count(ex, 1)
  end subroutine count

  !> Adds a reference to an object; null is allowed.
  recursive subroutine sidl_share(object)
    type(c_ptr), intent(in) :: object
    call count(object, 0)
  end subroutine sidl_share

  !> Drops a reference.
  recursive subroutine sidl_unshare(object)
    type(c_ptr), intent(in) :: object
    call count(object, 1)
  end subroutine sidl_unshare

  impure elemental recursive subroutine handle_delete_ref(self)
    class(sidl_handle), intent(inout) :: self
    type(c_ptr) :: object
    object = self%d_ior
    self%d_ior = c_null_ptr
    call count(object, 1)
  end subroutine handle_delete_ref

  recursive subroutine handle_add_ref(self)
    class(sidl_handle), intent(in) :: self
    call count(self%d_ior, 0)
  end subroutine handle_add_ref

  impure elemental recursive subroutine handle_finalise(self)
    type(sidl_handle), intent(inout) :: self
    if (c_associated(self%d_ior)) call self%deleteRef()
  end subroutine handle_finalise

  !> A handle of another type becomes null if the object is not of it.
  impure elemental recursive subroutine handle_assign(left, right)
    class(sidl_handle), intent(inout) :: left
    class(sidl_handle), intent(in) :: right
    type(c_ptr) :: object, ex, info
    info = left%type_info()
    if (same_type_as(left, right) .or. .not. c_associated(right%d_ior)) then
      object = right%d_ior
      call count(object, 0)
    else
      object = c_cast(right%d_ior, info, ex)
      if (c_associated(ex)) call count(ex, 1)
    end if
    call left%deleteRef()
    left%d_ior = object
  end subroutine handle_assign

  elemental function handle_is_null(self) result(answer)
    class(sidl_handle), intent(in) :: self
    logical :: answer
    answer = .not. c_associated(self%d_ior)
  end function handle_is_null

  elemental function handle_not_null(self) result(answer)
    class(sidl_handle), intent(in) :: self
    logical :: answer
    answer = c_associated(self%d_ior)
  end function handle_not_null

  !> Sets an exception: the method `where` was called with a null handle.
  recursive subroutine sidl_no_object(where, ex)
    character(*), intent(in) :: where
    type(c_ptr), intent(inout) :: ex
    call c_no_object(sidl_terminated(where), ex)
  end subroutine sidl_no_object

  ! ---- built-in functions of every type ----------------------------------------------------------

  recursive function handle_type_info() result(info)
    type(c_ptr) :: info
    info = c_base_interface()
  end function handle_type_info

  recursive subroutine replace(self, object, ex, where, exception)
    class(sidl_handle), intent(inout) :: self
    type(c_ptr), intent(in) :: object
    type(c_ptr), intent(inout) :: ex
    character(*), intent(in) :: where
    class(sidl_handle), intent(inout), optional :: exception
    call self%deleteRef()
    self%d_ior = object
    if (c_associated(ex) .or. present(exception)) call sidl_settle(where, this_file, ex, exception)
  end subroutine replace

  recursive subroutine handle_create(self, exception)
    class(sidl_handle), intent(inout) :: self
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: object, ex
    object = c_create(self%type_info(), ex)
    call replace(self, object, ex, 'create', exception)
  end subroutine handle_create

  recursive subroutine handle_create_remote(self, url, exception)
    class(sidl_handle), intent(inout) :: self
    character(*), intent(in) :: url
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: object, ex
    object = c_create_remote(self%type_info(), sidl_terminated(url), ex)
    call replace(self, object, ex, 'create_remote', exception)
  end subroutine handle_create_remote

  recursive subroutine handle_wrap(self, data, exception)
    class(sidl_handle), intent(inout) :: self
    type(c_ptr), intent(in) :: data
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: object, ex
    object = c_wrap(self%type_info(), data, ex)
    call replace(self, object, ex, 'wrap', exception)
  end subroutine handle_wrap

  recursive subroutine handle_connect(self, url, exception)
    class(sidl_handle), intent(inout) :: self
    character(*), intent(in) :: url
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: object, ex
    object = c_connect(self%type_info(), sidl_terminated(url), ex)
    call replace(self, object, ex, 'connect', exception)
  end subroutine handle_connect

  recursive subroutine handle_cast(self, other, exception)
    class(sidl_handle), intent(inout) :: self
    class(sidl_handle), intent(in) :: other
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: object, ex
    object = c_cast(other%d_ior, self%type_info(), ex)
    call replace(self, object, ex, 'cast', exception)
  end subroutine handle_cast

  recursive function handle_is_remote(self) result(answer)
    class(sidl_handle), intent(in) :: self
    logical :: answer
    answer = c_is_remote(self%d_ior) /= 0
  end function handle_is_remote

  recursive function handle_is_local(self) result(answer)
    class(sidl_handle), intent(in) :: self
    logical :: answer
    answer = c_is_remote(self%d_ior) == 0
  end function handle_is_local

  recursive function handle_url(self, exception) result(url)
    class(sidl_handle), intent(in) :: self
    class(sidl_handle), intent(inout), optional :: exception
    character(:), allocatable :: url
    type(c_ptr) :: text, ex
    text = c_get_url(self%d_ior, ex)
    call sidl_take_string(text, url)
    if (c_associated(ex) .or. present(exception)) call sidl_settle('url', this_file, ex, exception)
  end function handle_url

  ! ---- hooks and contracts ------------------------------------------------------------------------

  recursive function or_empty(text) result(given)
    character(*), intent(in), optional :: text
    character(:, kind=c_char), allocatable :: given
    given = c_null_char
    if (present(text)) given = sidl_terminated(text)
  end function or_empty

  recursive function or_false(flag) result(given)
    logical, intent(in), optional :: flag
    integer(c_int) :: given
    given = 0
    if (present(flag)) given = sidl_bool(flag)
  end function or_false

  recursive subroutine handle_set_hooks(self, enable, exception)
    class(sidl_handle), intent(in) :: self
    logical, intent(in) :: enable
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    if (.not. c_associated(self%d_ior)) then
      ex = c_null_ptr
      call sidl_no_object('set_hooks', ex)
      call sidl_settle('set_hooks', this_file, ex, exception)
      return
    end if
    call c_set_hooks(self%d_ior, sidl_bool(enable), ex)
    call sidl_settle('set_hooks', this_file, ex, exception)
  end subroutine handle_set_hooks

  recursive subroutine handle_set_hooks_static(self, enable, exception)
    class(sidl_handle), intent(in) :: self
    logical, intent(in) :: enable
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    call c_set_hooks_static(self%type_info(), sidl_bool(enable), ex)
    call sidl_settle('set_hooks_static', this_file, ex, exception)
  end subroutine handle_set_hooks_static

  !> `file` would name estimates of what checks cost; with `reset` counting begins anew.
  recursive subroutine handle_set_contracts(self, enable, file, reset, exception)
    class(sidl_handle), intent(in) :: self
    logical, intent(in) :: enable
    character(*), intent(in), optional :: file
    logical, intent(in), optional :: reset
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    if (.not. c_associated(self%d_ior)) then
      ex = c_null_ptr
      call sidl_no_object('set_contracts', ex)
      call sidl_settle('set_contracts', this_file, ex, exception)
      return
    end if
    call c_set_contracts(self%d_ior, sidl_bool(enable), or_empty(file), &
        or_false(reset), ex)
    call sidl_settle('set_contracts', this_file, ex, exception)
  end subroutine handle_set_contracts

  !> `file` would name estimates of what checks cost; with `reset` counting begins anew.
  recursive subroutine handle_set_contracts_static(self, enable, file, reset, exception)
    class(sidl_handle), intent(in) :: self
    logical, intent(in) :: enable
    character(*), intent(in), optional :: file
    logical, intent(in), optional :: reset
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    call c_set_contracts_static(self%type_info(), sidl_bool(enable), or_empty(file), &
        or_false(reset), ex)
    call sidl_settle('set_contracts_static', this_file, ex, exception)
  end subroutine handle_set_contracts_static

  !> Without `file` it is ContractStats.out; `prefix` introduces what is added.
  recursive subroutine handle_dump_stats(self, file, prefix, exception)
    class(sidl_handle), intent(in) :: self
    character(*), intent(in), optional :: file, prefix
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    if (.not. c_associated(self%d_ior)) then
      ex = c_null_ptr
      call sidl_no_object('dump_stats', ex)
      call sidl_settle('dump_stats', this_file, ex, exception)
      return
    end if
    call c_dump_stats(self%d_ior, or_empty(file), or_empty(prefix), ex)
    call sidl_settle('dump_stats', this_file, ex, exception)
  end subroutine handle_dump_stats

  !> Without `file` it is ContractStats.out; `prefix` introduces what is added.
  recursive subroutine handle_dump_stats_static(self, file, prefix, exception)
    class(sidl_handle), intent(in) :: self
    character(*), intent(in), optional :: file, prefix
    class(sidl_handle), intent(inout), optional :: exception
    type(c_ptr) :: ex
    call c_dump_stats_static(self%type_info(), or_empty(file), or_empty(prefix), ex)
    call sidl_settle('dump_stats_static', this_file, ex, exception)
  end subroutine handle_dump_stats_static

  ! ---- exceptions -------------------------------------------------------------------------------

  !> Ends a call: passes the exception it threw, if any, to the caller, or stops the program.
  recursive subroutine sidl_settle(where, file, ex, exception)
    character(*), intent(in) :: where, file
    type(c_ptr), value :: ex
    class(sidl_handle), intent(inout), optional :: exception
    if (present(exception)) call exception%deleteRef()
    if (.not. c_associated(ex)) return
    call sidl_pass(where, file, ex)
    if (present(exception)) then
      exception%d_ior = c_cast_over(ex, exception%type_info())
    else
      call c_report_exception(ex)
      flush (error_unit)
      error stop 'an exception that nobody caught'
    end if
  end subroutine sidl_settle

  !> Throws, in an implementation: `exception` becomes `thrown`, which is created if it is null,
  !> with a message. `where`, `line` and `file` begin its trace.
  recursive subroutine sidl_throw(exception, thrown, note, where, line, file)
    class(sidl_handle), intent(inout) :: exception, thrown
    character(*), intent(in) :: note
    character(*), intent(in), optional :: where, file
    integer, intent(in), optional :: line
    character(:), allocatable :: place, source
    integer(c_int32_t) :: number
    type(c_ptr) :: created, failure
    place = 'a method'
    if (present(where)) place = where
    source = 'its implementation in Fortran'
    if (present(file)) source = file
    number = 0
    if (present(line)) number = int(line, c_int32_t)
    created = thrown%d_ior
    failure = c_null_ptr
    if (.not. c_associated(created)) created = c_create(thrown%type_info(), failure)
    thrown%d_ior = c_null_ptr
    created = c_prepare_exception(created, failure, sidl_terminated(note), &
                                  sidl_terminated(source), number, sidl_terminated(place))
    call exception%deleteRef()
    exception%d_ior = c_cast_over(created, c_base_exception())
  end subroutine sidl_throw

  !> Ends a method that threw: adds it to the trace.
  recursive subroutine sidl_pass(where, file, ex)
    character(*), intent(in) :: where, file
    type(c_ptr), intent(in) :: ex
    call c_update_exception(ex, sidl_terminated(file), 0_c_int32_t, sidl_terminated(where))
  end subroutine sidl_pass

  ! ---- values -----------------------------------------------------------------------------------

  pure function sidl_bool(value) result(number)
    logical, intent(in) :: value
    integer(c_int) :: number
    number = merge(1_c_int, 0_c_int, value)
  end function sidl_bool

  !> A C string: without trailing blanks, null-terminated.
  pure function sidl_terminated(text) result(copy)
    character(*), intent(in) :: text
    character(len=len_trim(text) + 1, kind=c_char) :: copy
    copy = text
    copy(len(copy):) = c_null_char
  end function sidl_terminated

  recursive subroutine sidl_copy_string(text, copy)
    type(c_ptr), intent(in) :: text
    character(:), allocatable, intent(inout) :: copy
    character(kind=c_char), pointer :: bytes(:)
    integer :: length, i
    length = 0
    if (c_associated(text)) length = int(c_strlen(text))
    if (allocated(copy)) deallocate (copy)
    allocate (character(length) :: copy)
    if (length == 0) return
    call c_f_pointer(text, bytes, [length])
    do i = 1, length
      copy(i:i) = bytes(i)
    end do
  end subroutine sidl_copy_string

  !> As sidl_take_string; a null string becomes an unallocated character.
  recursive subroutine sidl_take_member(text, copy)
    type(c_ptr), intent(inout) :: text
    character(:), allocatable, intent(inout) :: copy
    if (c_associated(text)) then
      call sidl_take_string(text, copy)
    else if (allocated(copy)) then
      deallocate (copy)
    end if
  end subroutine sidl_take_member

  !> As sidl_copy_string; the C string is freed.
  recursive subroutine sidl_take_string(text, copy)
    type(c_ptr), intent(inout) :: text
    character(:), allocatable, intent(inout) :: copy
    call sidl_copy_string(text, copy)
    call sidl_free_string(text)
    text = c_null_ptr
  end subroutine sidl_take_string

  !> A copy in memory from malloc, without trailing blanks.
  recursive function sidl_new_string(value) result(text)
    character(*), intent(in) :: value
    type(c_ptr) :: text
    character(kind=c_char), pointer :: bytes(:)
    integer :: length, i
    length = len_trim(value)
    text = c_string_alloc(int(length + 1, c_size_t))
    call c_f_pointer(text, bytes, [length + 1])
    do i = 1, length
      bytes(i) = value(i:i)
    end do
    bytes(length + 1) = c_null_char
  end function sidl_new_string

  !> A C string that the receiver frees; null for a null string.
  recursive subroutine sidl_give_string(value, text)
    character(:), allocatable, intent(in) :: value
    type(c_ptr), intent(out) :: text
    text = c_null_ptr
    if (allocated(value)) text = sidl_new_string(value)
  end subroutine sidl_give_string

end module sidl_fortran
