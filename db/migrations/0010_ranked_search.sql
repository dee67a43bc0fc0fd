DROP INDEX "search_document_words";--> statement-breakpoint
ALTER TABLE "search_document" ADD COLUMN "public_view" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "search_document" ADD COLUMN "text" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "search_document" ADD COLUMN "turn" bigserial NOT NULL;--> statement-breakpoint
ALTER TABLE "search_document" ADD COLUMN "form" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "artifact_order_public" ON "artifact_order" USING btree ("updated_at","artifact_id") WHERE "artifact_order"."public_view";--> statement-breakpoint
CREATE INDEX "search_document_public" ON "search_document" USING gin ("words") WHERE "search_document"."public_view";--> statement-breakpoint
CREATE INDEX "search_document_private" ON "search_document" USING gin ("words") WHERE NOT "search_document"."public_view";--> statement-breakpoint
CREATE INDEX "search_document_form" ON "search_document" USING btree ("artifact_id") WHERE "search_document"."form" < 1;
--> statement-breakpoint
-- Each search reads what waits to be put into an index: a megabyte at most.
ALTER INDEX "search_document_public" SET (gin_pending_list_limit = 1024);
--> statement-breakpoint
ALTER INDEX "search_document_private" SET (gin_pending_list_limit = 1024);
--> statement-breakpoint
-- Read of every document that a search ranks, unlike its words and its text.
ALTER TABLE "search_document" ALTER COLUMN "name" SET STORAGE MAIN;
--> statement-breakpoint
-- Documents of the earlier form are not found before this job has written them again.
INSERT INTO "outbox" ("job_id", "kind", "payload") SELECT gen_random_uuid(), 'renderings', '{}' WHERE EXISTS (SELECT FROM "search_document");
