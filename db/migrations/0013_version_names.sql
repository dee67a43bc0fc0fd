ALTER TABLE "version" ADD COLUMN "name" text;--> statement-breakpoint
CREATE INDEX "version_named" ON "version" USING btree ("artifact_id","version_number") WHERE "version"."name" IS NOT NULL;