// The server settings of the embedded database: durable, small, quiet. They are command-line arguments, so that this
// version's settings apply to any data directory.

export const settings: Record<string, string | number> = {
  // Only the Unix socket is open.
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: 100,

  // An acknowledged write survives a power cut.
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_wal_size: "512MB",
  // Every commit that matters writes its log itself; what may wait is lost with a power cut for a little longer.
  wal_writer_delay: "10s",
  checkpoint_completion_target: 0.9,
  autovacuum: "on",

  // For one small machine and short statements.
  shared_buffers: "32MB",
  work_mem: "4MB",
  maintenance_work_mem: "32MB",
  autovacuum_max_workers: 2,
  jit: "off",
  io_method: "sync",
  max_parallel_workers_per_gather: 0,
  max_logical_replication_workers: 0,
  random_page_cost: 1.1,

  // Standard output is a file already. Conflicts are normal responses, not events, and statements contain personal
  // data.
  logging_collector: "off",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",

  timezone: "UTC",
  log_timezone: "UTC",
};
