program main
  use, intrinsic :: iso_c_binding
  use letters
  use sidl
  implicit none
  type(letters_F) :: f
  type(letters_P) :: p
  type(sidl_BaseException) :: ex
  integer :: n
  character(kind=c_char) :: a(3) = ['x', 'y', 'z'], b(3) = ['1', '2', '3']
  call f%create(ex)
  n = f%flip(a, b, 3)
  if (n /= 3 .or. any(b /= ['z', 'y', 'x'])) error stop 'f'
  call p%create(ex)
  b = '1'
  n = p%flip(a, b, 3)
  if (n /= 3 .or. any(b /= ['z', 'y', 'x'])) error stop 'p'
  if (p%flip(a, b) /= 3) error stop 'left out'
  print '(a)', 'ok'
end program main
