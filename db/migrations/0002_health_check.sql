CREATE TABLE "health_check" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"written_at" timestamptz DEFAULT now() NOT NULL,
	CONSTRAINT "health_check_one_row" CHECK ("health_check"."id" = 1)
);
--> statement-breakpoint
-- The row is written every few seconds: its next form is to fit on the same page.
ALTER TABLE "health_check" SET (fillfactor = 20);--> statement-breakpoint
CREATE INDEX "outbox_waiting_pictures" ON "outbox" USING btree ("created_at") WHERE handed_over_at IS NULL AND (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL);--> statement-breakpoint
CREATE INDEX "outbox_waiting_other" ON "outbox" USING btree ("created_at") WHERE handed_over_at IS NULL AND NOT (kind LIKE 'thumbnail%' OR dedupe_key IS NOT NULL);