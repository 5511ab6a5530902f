/*
 * ticket_book.h: the state of sidl.rmi.TicketBookI.
 */
#ifndef REMOTE_TICKET_BOOK_H
#define REMOTE_TICKET_BOOK_H

#include <stdbool.h>

#include "sidl_ior.h"

struct sidl_rmi_Response__object;
struct ticket_book;
struct book_entry;

#pragma GCC visibility push(hidden)

/* NULL if memory is exhausted. */
struct ticket_book* ticket_book_create(void);

/* Drops the tickets; the book must not be used any more. */
void ticket_book_destroy(struct ticket_book* book);

/* Adds a reference to the ticket. Returns its id: *id, or a new one if `id` is NULL. */
int32_t ticket_book_insert(struct ticket_book* book, struct sidl_rmi_Ticket__object* ticket,
                           const int32_t* id, struct sidl_BaseInterface__object** _ex);

/* As the methods of the class. */
int32_t ticket_book_remove_ready(struct ticket_book* book, struct sidl_rmi_Ticket__object** ticket,
                                 struct sidl_BaseInterface__object** _ex);
bool ticket_book_is_empty(struct ticket_book* book);
void ticket_book_block(struct ticket_book* book, struct sidl_BaseInterface__object** _ex);
bool ticket_book_test(struct ticket_book* book, struct sidl_BaseInterface__object** _ex);
bool ticket_book_cancel(struct ticket_book* book, struct sidl_BaseInterface__object** _ex);

/*
 * Waits for a finished ticket, which stays in the book; with a reference. NULL if the book is
 * empty.
 */
struct sidl_rmi_Ticket__object* ticket_book_first(struct ticket_book* book,
                                                  struct sidl_BaseInterface__object** _ex);

/* For sidl.rmi.TicketBookEntry, which owns a reference to its entry. */
void book_entry_over(struct book_entry* entry);
void book_entry_drop(struct book_entry* entry);

#pragma GCC visibility pop
#endif
