! A class in Fortran that extends one in Python, which extends one in Fortran.
program with_python
  use sidl
  use fam_Dog__m
  use packs_Hound__m
  use support
  implicit none
  type(packs_Hound) :: hound
  type(sidl_BaseException) :: ex
  call hound%create()
  call check(hound%name() == 'hound, terrier, dog, no animal', 'four generations')
  call check(hound%describe() == 'a hound, terrier, dog, no animal on 4 legs', 'called by C++')
  call hound%feed(3)
  call check(hound%fed() == 3, 'a method of Fortran''s')
  call hound%feed(0, ex)
  call check(ex%getNote() == 'an empty bowl', 'an exception')
  call finish()
end program with_python
