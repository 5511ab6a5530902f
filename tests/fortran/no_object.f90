! Nobody has created the object: an exception, without a variable for which the program ends.
program no_object
  use sidl
  use fam_Dog__m
  implicit none
  type(fam_Dog) :: dog
  type(sidl_BaseException) :: ex
  call dog%feed(1, ex)
  if (ex%is_null() .or. .not. ex%isType('sidl.CastException')) error stop 'no exception'
  call dog%feed(1)
end program no_object
