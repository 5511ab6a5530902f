! What a program in Fortran has to do with a server of classes in Fortran: attaching to objects that
! are there, being called back, deadlines.
program remote_family
  use, intrinsic :: iso_fortran_env
  use sidl
  use sidl_rmi
  use fam_Animal__m
  use fam_Hungry__m
  use fam_Dog__m
  use fam_Puppy__m
  use support
  implicit none
  character(200) :: server

  call get_environment_variable('FAM_SERVER', server)
  call known_objects()
  call callbacks()
  call deadlines()
  call streams()
  call finish()

contains

  subroutine known_objects()
    type(fam_Dog) :: dog, same, rex
    type(fam_Animal) :: animal
    type(fam_Puppy) :: puppy
    type(sidl_BaseException) :: ex
    type(sidl_rmi_ObjectDoesNotExistException) :: gone
    call dog%create_remote(server)
    call dog%feed(3)
    call same%connect(dog%url())
    call check(same%is_remote() .and. same%isSame(dog), 'the same object')
    call check(same%fed() == 3, 'its data')
    call rex%connect(trim(server) // '/rex')
    call rex%feed(4)
    call animal%connect(trim(server) // '/rex')
    call check(animal%describe() == 'a dog, no animal on 4 legs', 'a parent''s handle')
    rex = animal
    call check(rex%fed() == 4, 'a published object stays')
    call puppy%connect(trim(server) // '/rex', ex)
    call check(ex%not_null() .and. puppy%is_null(), 'a dog is no puppy')
    call dog%connect(trim(server) // '/nobody', ex)
    gone = ex
    call check(gone%not_null() .and. dog%is_null(), 'no such object')
  end subroutine known_objects

  subroutine callbacks()
    type(fam_Dog) :: near, far
    type(fam_Hungry) :: hungry
    type(sidl_BaseException) :: ex
    call far%create_remote(server)
    call near%create()
    call check(near%is_local(), 'an object of our own')
    call check(far%chat(near, 2) == 'wuff, dog, says the dog, no animal; ' // &
               'wuff, dog, says the dog, no animal;', 'the server calls back')
    call check(far%ask(near, 'you') == 'wuff, you, says the dog, no animal', &
               'and so does what it inherits')
    call check(near%chat(far, 1) == 'wuff, dog, says the dog, no animal;', 'the other way round')
    call far%feed(0, ex)
    hungry = ex
    call check(hungry%not_null() .and. ex%getNote() == 'an empty bowl', 'the server''s exception')
    call check(index(ex%getTrace(), 'in fam.Dog.feed at fam_Dog_Impl.f90') > 0, 'its trace there')
    call check(index(ex%getTrace(), 'in fam.Dog.feed at fam.f90') > 0, 'its trace here')
  end subroutine callbacks

  ! The dog sleeps until it is woken, which is after the deadline.
  subroutine deadlines()
    type(sidl_rmi_Deadline) :: deadline
    type(sidl_BaseException) :: ex
    type(sidl_rmi_TimeOutException) :: late
    type(fam_Dog) :: sleeper, other
    call sleeper%create_remote(server)
    call other%create_remote(server)
    call deadline%setForObject(sleeper, 50_int64)
    call sleeper%nap(ex)
    late = ex
    call check(late%not_null(), 'the deadline passes')
    call other%wake()
    call deadline%setForObject(sleeper, -1_int64)
    call sleeper%nap(ex)
    call check(ex%is_null() .and. sleeper%fed() == 0, 'the object goes on')
  end subroutine deadlines
  ! Arrays of any rank go through a stream, though each rank is a type of Fortran's.
  subroutine streams()
    type(sidl_rmi_ProtocolFactory) :: factory
    type(sidl_rmi_InstanceHandle) :: handle
    type(sidl_rmi_Invocation) :: invocation
    type(sidl_BaseException) :: ex
    type(sidl_array) :: square, words
    real(real64), pointer :: seen(:,:)
    call factory%connectInstance(trim(server) // '/rex', 'fam.Dog', .true., handle, ex)
    call check(handle%not_null(), 'a handle')
    call handle%createInvocation('feed', 0_int64, invocation, ex)
    call check(invocation%not_null(), 'an invocation')
    call square%create(sidl_double_array, [2, 3])
    call sidl_view_array(seen, square%d_array)
    seen = 1
    call words%create(sidl_string_array, [2, 2])
    call invocation%packDoubleArray('a', square, 0, 2, .false., ex)
    call check(ex%is_null(), 'an array of two dimensions')
    call invocation%packStringArray('b', words, 0, 2, .false., ex)
    call check(ex%is_null(), 'strings in two dimensions')
    call invocation%packIntArray('c', square, 0, 2, .false., ex)
    call check(ex%not_null(), 'doubles are no integers')
  end subroutine streams

end program remote_family
