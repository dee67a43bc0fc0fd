-- Each step of a search reads all that waits to be put into an index: 128 KB at most.
ALTER INDEX "search_document_public" SET (gin_pending_list_limit = 128);
--> statement-breakpoint
ALTER INDEX "search_document_private" SET (gin_pending_list_limit = 128);
--> statement-breakpoint
ALTER INDEX "search_document_name" SET (gin_pending_list_limit = 128);
