// The errors for a PostgreSQL that does not answer in time. PostgreSQL may still carry out the statement.

/** The statement took longer than its caller waits. */
export class DatabaseTimeout extends Error {
  override readonly name = "DatabaseTimeout";
}

/** PostgreSQL has stopped answering on every connection. Nothing is sent until it answers again. */
export class DatabaseSilent extends Error {
  override readonly name = "DatabaseSilent";
}
