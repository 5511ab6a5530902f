C     in_f77 URL: as in_c.c.
      program infsev
      character*200 url
      character*1 last
      integer*8 ends, a, first, second, ex
      integer*8 count, half, lower(1), upper(1), at(1), n(1), from(1)
      integer*8 by(1), to(1)
      count = 2147483653_8
      half = count / 2
      lower(1) = 0
      upper(1) = count - 1
      call getarg(1, url)
      call huge_Ends__connect_f(url, ends, ex)
      call expect(ex .eq. 0, 'connect')
      call sidl_char__array_createCol64_f(1, lower, upper, a)
      at(1) = count - 1
      call sidl_char__array_set64_f(a, at, 'z')
      call huge_Ends_last_f(ends, a, last, ex)
      call expect(ex .eq. 0 .and. last .eq. 'z', 'last')
      n(1) = half
      from(1) = 0
      by(1) = 1
      to(1) = 0
      call sidl_char__array_slice64_f(a, 1, n, from, by, to, first)
      n(1) = count - half
      from(1) = half
      call sidl_char__array_slice64_f(a, 1, n, from, by, to, second)
      at(1) = half - 1
      call sidl_char__array_set64_f(first, at, 'h')
      call huge_Ends_last_f(ends, first, last, ex)
      call expect(ex .eq. 0 .and. last .eq. 'h', 'the first half')
      call huge_Ends_last_f(ends, second, last, ex)
      call expect(ex .eq. 0 .and. last .eq. 'z', 'the second half')
      call sidl__array_deleteRef_f(first)
      call sidl__array_deleteRef_f(second)
      call huge_Ends_mark_f(ends, a, ex)
      at(1) = count - 1
      call sidl_char__array_get64_f(a, at, last)
      call expect(ex .eq. 0 .and. last .eq. 'm', 'mark')
      call sidl__array_deleteRef_f(a)
      call huge_Ends_make_f(ends, count, a, ex)
      call expect(ex .eq. 0, 'make')
      call sidl__array_length64_f(a, 1, n)
      call expect(n(1) .eq. count, 'its length')
      call sidl__array_upper64_f(a, 1, at)
      call sidl_char__array_get64_f(a, at, last)
      call expect(last .eq. 'r', 'the last one made')
      call sidl__array_deleteRef_f(a)
      call huge_Ends_deleteRef_f(ends, ex)
      end

      subroutine expect(right, what)
      logical right
      character*(*) what
      if (right) return
      write (*, *) what
      stop 1
      end
