DROP INDEX "search_document_form";--> statement-breakpoint
ALTER TABLE "search_document" ADD COLUMN "quoted" "bytea" DEFAULT '\x'::bytea NOT NULL;--> statement-breakpoint
CREATE INDEX "search_document_form" ON "search_document" USING btree ("artifact_id") WHERE "search_document"."form" < 2;
--> statement-breakpoint
-- It is compressed already.
ALTER TABLE "search_document" ALTER COLUMN "quoted" SET STORAGE EXTERNAL;
--> statement-breakpoint
-- Documents of the earlier form are found as before until this job has written them again.
INSERT INTO "outbox" ("job_id", "kind", "payload") SELECT gen_random_uuid(), 'renderings', '{}' WHERE EXISTS (SELECT FROM "search_document");
