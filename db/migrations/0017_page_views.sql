CREATE TABLE "page_view" (
	"artifact_id" uuid NOT NULL,
	"day" date NOT NULL,
	"views" bigint NOT NULL,
	CONSTRAINT "page_view_artifact_id_day_pk" PRIMARY KEY("artifact_id","day")
);
--> statement-breakpoint
ALTER TABLE "page_view" ADD CONSTRAINT "page_view_artifact_id_artifact_artifact_id_fk" FOREIGN KEY ("artifact_id") REFERENCES "public"."artifact"("artifact_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "page_view_day" ON "page_view" USING btree ("day");