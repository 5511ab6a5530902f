package sidl.binding;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import sidl.rmi.ObservableTicket;
import sidl.rmi.TicketObserver;

/**
 * For generated code: a nonblocking call on its way.
 *
 * @param <T> the class of its result
 */
public final class Pending<T> extends CompletableFuture<T> {
  private final Frame frame;
  private final Handle object; // its own: the caller may close theirs
  private final Supplier<T> results;
  private final ObservableTicket ticket;

  /** See AtEnd, whose thread alone uses it. */
  boolean isFoundAtEnd;

  private Pending(Frame frame, Handle object, Supplier<T> results) {
    this.frame = frame;
    this.results = results;
    this.object = Handle.another(object);
    try {
      ticket =
          ObservableTicket._type.wrap(
              Native.castOver(frame.send(object), ObservableTicket._type.info));
    } catch (Throwable failure) {
      free();
      throw failure;
    }
  }

  private void free() {
    if (object != null) {
      object.free();
    }
  }

  /**
   * Begins a call.
   *
   * @param <T> the class of its result
   * @param frame made by Frame.apart
   * @param object that is called; null: the method is static
   * @param results takes them out of the frame
   * @return its future, which ends when the holders of out and inout arguments have their values
   */
  public static <T> CompletableFuture<T> send(Frame frame, Handle object, Supplier<T> results) {
    final Pending<T> pending;
    try {
      pending = new Pending<>(frame, object, results);
    } catch (Throwable failure) {
      frame.release();
      throw failure;
    }
    AtEnd.add(pending);
    try {
      pending.ticket.observe(new Observer(pending::receive));
    } catch (Throwable failure) {
      if (AtEnd.remove(pending)) {
        pending.giveUp();
        throw failure;
      } // else its answer has come, and is being taken in
    }
    return pending;
  }

  /** Nobody would tell of its answer. */
  private void giveUp() {
    try {
      ticket.cancel();
    } finally {
      end();
    }
  }

  private void end() {
    frame.release();
    ticket.close();
    free();
  }

  /** False if the answer is being taken in, too; true if asking fails: taking it in says why. */
  boolean isOver() {
    try {
      return ticket.test();
    } catch (IllegalStateException closed) {
      return false;
    } catch (RuntimeException failure) {
      return true;
    }
  }

  /** Once. Whatever depends on the future may take long, and nothing is kept for it. */
  void receive() {
    if (!AtEnd.remove(this)) {
      return;
    }
    T result = null;
    Throwable reason = null;
    try {
      try {
        frame.receive(object, ticket._handle());
        result = results.get();
      } finally {
        end();
      }
    } catch (Throwable failure) {
      reason = failure;
    }
    if (reason == null) {
      complete(result);
    } else {
      completeExceptionally(reason);
    }
  }

  /**
   * Gives the call up: its server is told.
   *
   * @param mayInterrupt without effect
   * @return true unless it had ended before
   */
  @Override
  public boolean cancel(boolean mayInterrupt) {
    final boolean isCancelled = super.cancel(mayInterrupt);
    if (isCancelled) {
      try {
        ticket.cancel();
      } catch (IllegalStateException answered) {
        // The answer was being taken in.
      }
    }
    return isCancelled;
  }

  private record Observer(Runnable action) implements TicketObserver {
    /** A thread of a protocol must not be held up by what depends on the future. */
    @Override
    public void over() {
      Answers.execute(action);
    }
  }
}
