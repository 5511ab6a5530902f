! From three ranks with blocks of rows to two with blocks in turn, in one program.
program divide
  use, intrinsic :: iso_fortran_env, only: int32, int64, real64
  use sidl
  use sidl_par
  implicit none
  type(sidl_par_Distribution) :: rows, turns
  type(sidl_par_Redistribution) :: sender, receiver
  type(sidl_par_Group) :: alone
  type(sidl_array) :: from, into, message
  type(sidl_BaseException) :: ex
  real(real64), allocatable, target :: given(:, :), got(:, :)
  real(real64), target :: mesh(4) = [0.4_real64, 0.2_real64, 0.3_real64, 0.1_real64], line(2)
  character(:), allocatable :: text
  integer(int32) :: source, target_rank
  integer(int32), pointer :: peers(:)
  integer :: i

  call rows%blocks([1_int64, 1_int64], [7_int64, 4_int64], [3, 1], rows)
  call turns%blockCyclic([1_int64, 1_int64], [7_int64, 4_int64], [2, 1], &
      [2_int64, 4_int64], turns)
  text = turns%describe()
  print '(a)', text
  do target_rank = 0, 1
    call receiver%createReceiver(rows, turns, target_rank, receiver)
    call receiver%getPeers(peers)
    call fill(turns, target_rank, got)
    got = 0
    call into%borrow(got)
    do i = lbound(peers, 1), ubound(peers, 1)
      source = peers(i)
      call sender%createSender(rows, turns, source, sender)
      call fill(rows, source, given)
      call from%borrow(given)
      call sender%pack(target_rank, from, message)
      call receiver%unpack(source, message, into)
    end do
    call fill(turns, target_rank, given)
    if (any(abs(got - given) > 0)) error stop
    print '(a, i0, a, *(1x, i0))', 'rank ', target_rank, ' has rows from', peers
  end do
  call from%borrow(given(:, 2:))
  call sender%pack(1, from, message, ex)
  text = ex%getNote()
  print '(a)', text

  ! From a rank that has a mesh in any order to two with blocks of a line.
  call alone%alone(alone)
  call alone%indices([4_int64, 2_int64, 3_int64, 1_int64], rows)
  call turns%blocks([1_int64], [4_int64], [2], turns)
  call sender%createSender(rows, turns, 0, sender)
  call from%borrow(mesh)
  do target_rank = 0, 1
    call receiver%createReceiver(rows, turns, target_rank, receiver)
    call sender%pack(target_rank, from, message)
    call into%borrow(line)
    call receiver%unpack(0, message, into)
    print '(a, i0, a, 2(1x, f3.1))', 'rank ', target_rank, ' has', line
  end do
  call alone%indices([4_int64, 2_int64, 3_int64, 5_int64], rows)
  call receiver%createReceiver(rows, turns, 0, receiver, ex)
  text = ex%getNote()
  print '(a)', text

contains

  !> A rank's piece, whose elements are ten times the row and the column.
  subroutine fill(all, rank, piece)
    type(sidl_par_Distribution), intent(in) :: all
    integer(int32), intent(in) :: rank
    real(real64), allocatable, intent(inout) :: piece(:, :)
    integer(int64), pointer :: lengths(:), index(:)
    integer(int64) :: i, j
    call all%getLengths(rank, lengths)
    if (allocated(piece)) deallocate (piece)
    allocate (piece(lengths(0), lengths(1)))
    do j = 1, size(piece, 2)
      do i = 1, size(piece, 1)
        call all%getIndex(rank, [i - 1, j - 1], index)
        piece(i, j) = 10 * index(0) + index(1)
      end do
    end do
  end subroutine fill
end program divide
