C     catch_f77 URL: casts what the server throws to its types, and
C     asks what only its class knows.
      program catch
      integer*8 solver, ex, other, failed, third
      integer*4 step
      logical is
      character*200 url
      character*80 note
      call getarg(1, url)
      call faults_Solver__createRemote_f(solver, url, ex)
      if (ex .ne. 0) stop 1
      call faults_Solver_run_f(solver, 7, ex)
      if (ex .eq. 0) stop 2
      call faults_Unstable__cast_f(ex, failed, other)
      if (failed .eq. 0) stop 3
      call sidl_BaseException_getNote_f(ex, note, other)
      if (note .ne. 'diverged') stop 4
      call faults_Unstable_isType_f(failed, 'faults.Explained',
     &  is, other)
      if (.not. is) stop 5
      call faults_Unstable_getStep_f(failed, step, other)
      if (other .eq. 0) stop 6
      call sidl_NotImplementedException__cast_f(other, third, ex)
      if (third .eq. 0) stop 7
      print '(a)', 'ok'
      end
