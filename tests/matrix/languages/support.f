C     What the suite in Fortran 77 makes objects and checks exceptions with.

C     A new Cell: here, or where the URL says.
      subroutine mkcell(url, cell, ex)
      implicit none
      character*(*) url
      integer*8 cell, ex
      if (url .eq. ' ') then
        call mx_Cell__create_f(cell, ex)
      else
        call mx_Cell__createRemote_f(cell, url, ex)
      end if
      end

      subroutine mkchild(url, child, ex)
      implicit none
      character*(*) url
      integer*8 child, ex
      if (url .eq. ' ') then
        call mx_Child__create_f(child, ex)
      else
        call mx_Child__createRemote_f(child, url, ex)
      end if
      end

C     What was thrown and should not have been.
      subroutine told(ex, said)
      implicit none
      integer*8 ex, other
      character*(*) said
      character*1000 note
      call sidl_BaseException_getNote_f(ex, note, other)
      said = 'threw: ' // note
      call sidl_BaseException_deleteRef_f(ex, other)
      end

C     'ok' if exactly this class was thrown, with this note; ' ' is any.
      subroutine thrown(ex, name, note, said)
      implicit none
      integer*8 ex, info, other
      character*(*) name, note, said
      character*200 class, text
      said = 'threw nothing'
      if (ex .eq. 0) return
      call sidl_BaseException_getNote_f(ex, text, other)
      call sidl_BaseInterface_getClassInfo_f(ex, info, other)
      call sidl_ClassInfo_getName_f(info, class, other)
      call sidl_ClassInfo_deleteRef_f(info, other)
      call sidl_BaseInterface_deleteRef_f(ex, other)
      said = 'threw ' // class
      if (class .ne. name) return
      if (note .eq. ' ' .or. text .eq. note) said = 'ok'
      end

      subroutine tell(group, name, said)
      implicit none
      character*(*) group, name, said
      integer last
      last = len(said)
   10 if (last .gt. 1 .and. said(last:last) .eq. ' ') then
        last = last - 1
        goto 10
      end if
      write (*, '(5a)') group, char(9), name, char(9), said(1:last)
      end
