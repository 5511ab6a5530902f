! As PROGRAM of test_tls.py: trusting_fortran URL AUTHORITIES CERTIFICATE KEY
program trusting
  use sidl
  use sidl_rmi
  implicit none
  type(sidl_rmi_Trust) :: trust

  call try_to_connect(argument(1))
  call trust%setAuthorities(argument(2))
  call try_to_connect(argument(1))
  call trust%setCertificate(argument(3), argument(4))
  call try_to_connect(argument(1))

contains

  function argument(number) result(text)
    integer, intent(in) :: number
    character(:), allocatable :: text
    integer :: size
    call get_command_argument(number, length=size)
    allocate (character(size) :: text)
    call get_command_argument(number, text)
  end function argument

  !> Prints the class of the object, or why there is none.
  subroutine try_to_connect(url)
    character(*), intent(in) :: url
    type(sidl_rmi_ProtocolFactory) :: protocols
    type(sidl_rmi_InstanceHandle) :: handle
    type(sidl_BaseException) :: exception
    call protocols%connectInstance(url, 'sidl.BaseClass', .true., handle, exception)
    if (exception%not_null()) then
      print '(a)', exception%getNote()
    else
      print '(a)', handle%getTypeName()
    end if
  end subroutine try_to_connect

end program trusting
