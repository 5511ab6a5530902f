C     Static methods are those of heirs, too.
      program heirs
      integer*8 puppy, dog, ex
      integer*4 alive, again
      character*40 breed, same
      call fam_Puppy__create_f(puppy, ex)
      call fam_Puppy_alive_f(alive, ex)
      if (ex .ne. 0 .or. alive .ne. 1) stop 1
      call fam_Dog__create_f(dog, ex)
      call fam_Dog_alive_f(alive, ex)
      call fam_Animal_alive_f(again, ex)
      if (alive .ne. 2 .or. again .ne. 2) stop 2
      call fam_Puppy_breed_f(breed, ex)
      call fam_Dog_breed_f(same, ex)
      if (breed .eq. ' ' .or. breed .ne. same) stop 3
      call fam_Dog_deleteRef_f(dog, ex)
      call fam_Puppy_deleteRef_f(puppy, ex)
      end
