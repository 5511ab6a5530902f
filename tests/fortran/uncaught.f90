! Nobody asks for the exception: the program ends.
program uncaught
  use fam_Dog__m
  implicit none
  type(fam_Dog) :: dog
  call dog%create()
  call dog%feed(0)
end program uncaught
