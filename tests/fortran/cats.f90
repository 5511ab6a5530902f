! Classes in C and in Fortran, each of which extends one of the other language.
program cats
  use sidl
  use cats_Cat__m
  use cats_Kitten__m
  use cats_Tiny__m
  use support
  implicit none
  call family()
  call finish()

contains

  subroutine family()
    type(cats_Cat) :: cat
    type(cats_Kitten) :: kitten
    type(cats_Tiny) :: tiny
    type(sidl_BaseException) :: ex
    call cat%create()
    call kitten%create()
    call tiny%create()
    call check(cat%greet() == 'I am a cat', 'a class in C')
    call check(kitten%greet() == 'I am a small cat', 'extended in Fortran: C calls Fortran')
    call check(tiny%greet() == 'I am a tiny small cat', 'and in C again')
    call kitten%feed(3)
    call tiny%feed(3)
    call check(kitten%fish() == 2 .and. tiny%fish() == 1, 'data of the class in C')
    call tiny%feed(1, ex)
    call check(ex%getNote() == 'no fish' .and. tiny%fish() == 1, 'an exception through C')
    call check(index(ex%getTrace(), 'in cats.Kitten.feed at cats_Kitten_Impl.f90') > 0, 'its trace')
    cat = tiny
    call check(cat%name() == 'tiny small cat', 'seen as the parent')
    kitten = cat
    call check(kitten%not_null() .and. kitten%isSame(tiny), 'a cast')
  end subroutine family
end program cats
