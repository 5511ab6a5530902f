! Nobody has created the object: the program says so and ends.
program no_object
  use fam_Dog__m
  implicit none
  type(fam_Dog) :: dog
  call dog%feed(1)
end program no_object
