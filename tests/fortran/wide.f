C     Old codes, and small arrays with bounds that do not fit 32 bits.
C     WIDE_SERVER says where the object lives; without it, here.
      program wide
      integer*8 object, ex
      character*200 server
      integer*4 failed
      common /count/ failed
      failed = 0
      call getenv('WIDE_SERVER', server)
      if (server .eq. ' ') then
        call wide_InCxx__create_f(object, ex)
      else
        call wide_InCxx__createRemote_f(object, server, ex)
      end if
      call check(ex .eq. 0, 'an object')
      call calls(object)
      call words(object)
      call makers
      call memory
      call narrow
      call wide_InCxx_deleteRef_f(object, ex)
      if (failed .ne. 0) stop 1
      end

      subroutine check(right, what)
      logical right
      character*(*) what
      integer*4 failed
      common /count/ failed
      if (right) return
      failed = failed + 1
      write (*, *) 'failed: ', what
      end

      subroutine calls(object)
      integer*8 object, a, ex, n, far, lower(2), upper(2), at(2)
      parameter (far = 5000000000_8)
      double precision x, total
      call wide_InCxx_numbers_f(object, far, 3, a, ex)
      call check(ex .eq. 0, 'numbers')
      call sidl_double__array_lower64_f(a, 1, n)
      call check(n .eq. far, 'where it begins')
      call sidl__array_upper64_f(a, 1, n)
      call check(n .eq. far + 2, 'where it ends')
      call sidl__array_length64_f(a, 1, n)
      call check(n .eq. 3, 'its length')
      at(1) = far + 2
      call sidl_double__array_get64_f(a, at, x)
      call check(x .eq. 3d0, 'an element')
      call wide_InCxx_move_f(object, a, -far, ex)
      call sidl_double__array_lower64_f(a, 1, n)
      call check(n .eq. -far, 'moved')
      call sidl_double__array_deleteRef_f(a)

      lower(1) = far
      lower(2) = -far
      upper(1) = far + 1
      upper(2) = 1 - far
      call sidl_double__array_createRow64_f(2, lower, upper, a)
      call sidl_double__array_set64_f(a, lower, 2d0)
      call sidl_double__array_set64_f(a, upper, 3d0)
      call wide_InCxx_lowest_f(object, a, total, n, ex)
      call check(n .eq. far .and. total .eq. 5d0, 'what it sees')
      call sidl_double__array_deleteRef_f(a)
      end

      subroutine words(object)
      integer*8 object, a, ex, far, at(1), other
      parameter (far = 5000000000_8)
      character*6 word
      character*1 letter
      logical same
      call wide_InCxx_words_f(object, far, a, ex)
      at(1) = far + 1
      call sidl_string__array_get64_f(a, at, word)
      call check(word .eq. 'second', 'a string')
      call sidl_string__array_set64_f(a, at, 'other')
      call sidl_string__array_get64_f(a, at, word)
      call check(word .eq. 'other', 'another string')
      call sidl_string__array_deleteRef_f(a)
      call wide_InCxx_letters_f(object, far, a, ex)
      call sidl_char__array_get64_f(a, at, letter)
      call check(letter .eq. 'b', 'a character')
      call sidl_char__array_deleteRef_f(a)
      call wide_InCxx_selves_f(object, far, a, ex)
      call sidl_interface__array_get64_f(a, at, other)
      call wide_InCxx_isSame_f(object, other, same, ex)
      call check(same, 'an object')
      call wide_Bounds_deleteRef_f(other, ex)
      call sidl_interface__array_deleteRef_f(a)
      end

      subroutine makers
      integer*8 a, part, n, far, lower(2), upper(2), at(2)
      integer*8 count(2), step(2), from(1)
      parameter (far = 5000000000_8)
      integer*4 value
      lower(1) = far
      lower(2) = 0
      upper(1) = far + 1
      upper(2) = 2
      call sidl_int__array_createCol64_f(2, lower, upper, a)
      call check(a .ne. 0, 'createCol64')
      call sidl_int__array_stride64_f(a, 2, n)
      call check(n .eq. 2, 'a stride')
      at(1) = far + 1
      at(2) = 2
      call sidl_int__array_set64_f(a, at, 7)
      count(1) = 0
      count(2) = 2
      at(2) = 0
      step(1) = 1
      step(2) = 2
      from(1) = -far
      call sidl_int__array_slice64_f(a, 1, count, at, step, from, part)
      call check(part .ne. 0, 'slice64')
      at(1) = 1 - far
      call sidl_int__array_get64_f(part, at, value)
      call check(value .eq. 7, 'an element of a part')
      at(1) = 2 - far
      call sidl_int__array_get64_f(part, at, value)
      call check(value .eq. 0, 'no such element')
      call sidl_int__array_deleteRef_f(part)
      call sidl_int__array_deleteRef_f(a)
      call sidl_int__array_createCol64_f(8, lower, upper, a)
      call check(a .eq. 0, 'too many dimensions')
      call sidl_int__array_lower64_f(0_8, 1, n)
      call check(n .eq. 0, 'of no array')
      call sidl_int__array_get64_f(0_8, at, value)
      call check(value .eq. 0, 'no element of no array')
      end

      subroutine memory
      integer*8 a, far, lower(1), upper(1), stride(1), at(1), first
      parameter (far = 5000000000_8)
      integer*4 near(1), last(1), step(1)
      double precision x(6), ref(1), value
      data x /1d0, 2d0, 3d0, 4d0, 5d0, 6d0/
      lower(1) = far
      upper(1) = far + 2
      stride(1) = 2
      call sidl_double__array_borrow64_f(x, 1, lower, upper, stride, a)
      at(1) = far + 1
      call sidl_double__array_get64_f(a, at, value)
      call check(value .eq. 3d0, 'every second')
      lower(1) = 0
      stride(1) = 0
      call sidl_double__array_access64_f(a, ref, lower, upper, stride,
     &                                   first)
      call check(first .ne. 0 .and. lower(1) .eq. far .and.
     &           upper(1) .eq. far + 2 .and. stride(1) .eq. 2, 'where')
      call sidl_double__array_access64_f(a, x, lower, upper, stride,
     &                                   first)
      call check(first .eq. 1, 'the first of them')
      call sidl_double__array_access_f(a, x, near, last, step, first)
      call check(first .eq. 0, 'not with 32 bits')
      call sidl_double__array_deleteRef_f(a)
      end

C     Subroutines with 32 bits, and arrays that need more or do not.
      subroutine narrow
      integer*8 a, far, lower(1), upper(1), wide
      parameter (far = 5000000000_8)
      integer*4 n
      real value
      lower(1) = far
      upper(1) = far
      call sidl_float__array_createCol64_f(1, lower, upper, a)
      call sidl_float__array_lower_f(a, 1, n)
      call check(n .eq. 0, 'lower')
      call sidl_float__array_upper_f(a, 1, n)
      call check(n .eq. -1, 'upper')
      call sidl_float__array_length_f(a, 1, n)
      call check(n .eq. 1, 'length')
      call sidl_float__array_set1_f(a, 0, 1.)
      call sidl_float__array_get1_f(a, 0, value)
      call check(value .eq. 0., 'no such element')
      call sidl_float__array_deleteRef_f(a)
      call sidl_float__array_create1d_f(3, a)
      call sidl_float__array_set_f(a, 2, 5.)
      lower(1) = 2
      call sidl_float__array_get64_f(a, lower, value)
      call sidl_float__array_upper64_f(a, 1, wide)
      call check(value .eq. 5. .and. wide .eq. 2, 'as in 32 bits')
      call sidl_float__array_deleteRef_f(a)
      end
